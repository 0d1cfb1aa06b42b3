/**
 * Draws with smooth edges on a canvas without multisampling: into a multisampled render target,
 * which is copied to the canvas. The canvas's own multisampling is fixed when its context is
 * created; this can be switched.
 */
import {
  type Camera,
  type Scene,
  ShaderMaterial,
  SRGBColorSpace,
  Vector2,
  WebGLRenderTarget,
  type WebGLRenderer,
} from 'three';
import { FullScreenQuad } from 'three/addons/postprocessing/Pass.js';

const size = new Vector2();

export class MultisampledDrawing {
  readonly target: WebGLRenderTarget;
  readonly #renderer: WebGLRenderer;
  readonly #material: ShaderMaterial;
  readonly #screen: FullScreenQuad;

  /** @param samples Per pixel; clamped to what the graphics card supports. */
  constructor(renderer: WebGLRenderer, samples: number) {
    this.#renderer = renderer;
    this.target = new WebGLRenderTarget(1, 1, { colorSpace: SRGBColorSpace, samples });
    this.#material = new ShaderMaterial({
      vertexShader: /* glsl */ `
        varying vec2 place;
        void main() {
          place = uv;
          gl_Position = vec4(position.xy, 0.0, 1.0);
        }
      `,
      fragmentShader: /* glsl */ `
        uniform sampler2D image;
        varying vec2 place;
        void main() {
          gl_FragColor = texture2D(image, place);
          #include <colorspace_fragment>
        }
      `,
      uniforms: { image: { value: this.target.texture } },
      depthTest: false,
      depthWrite: false,
    });
    this.#screen = new FullScreenQuad(this.#material);
  }

  get samples(): number {
    return this.target.samples;
  }

  /**
   * Draws a part of the canvas.
   *
   * @param left Left edge of the part, in CSS pixels, like its width. It is as high as the canvas.
   * @param isPart There are other parts.
   */
  render(scene: Scene, camera: Camera, left: number, width: number, isPart: boolean): void {
    const renderer = this.#renderer;
    const { target } = this;
    const { x, y } = renderer.getDrawingBufferSize(size);
    if (target.width !== x || target.height !== y) target.setSize(x, y);
    const ratio = renderer.getPixelRatio();
    const [from, to] = [Math.round(left * ratio), Math.round((left + width) * ratio)];
    target.viewport.set(from, 0, to - from, y);
    target.scissor.copy(target.viewport);
    target.scissorTest = isPart;
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
  }

  /** Copies what was drawn to the canvas. */
  present(): void {
    const renderer = this.#renderer;
    const { x, y } = renderer.getSize(size);
    renderer.setViewport(0, 0, x, y);
    renderer.setScissorTest(false);
    this.#screen.render(renderer);
  }

  dispose(): void {
    this.target.dispose();
    this.#material.dispose();
    this.#screen.dispose();
  }
}
