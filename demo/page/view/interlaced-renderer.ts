/**
 * Draws half of the pixels in each frame, the other half in the next: for machines that shade
 * slowly.
 *
 * A stencil holds the pattern. Each frame passes it in one half of the pixels only and leaves the
 * other half as the frame before drew it, so a moving edge is one frame old there. `lines`
 * alternates between every second line, `checker` between the two colours of a checkerboard, whose
 * diagonals are less visible. Lines and squares are two pixels wide by default: graphics cards and
 * software renderers shade blocks of 2 × 2 pixels, and a block of which one pixel is needed costs
 * as much as a whole one.
 *
 * It saves shading; vertices, shadows and the copy to the screen cost the same. It pays where
 * pixels are expensive and the display is faster than the machine; measure before you keep it on.
 */
import {
  AlwaysStencilFunc,
  Color,
  EqualStencilFunc,
  KeepStencilOp,
  Mesh,
  OrthographicCamera,
  PlaneGeometry,
  ReplaceStencilOp,
  Scene,
  ShaderMaterial,
  SRGBColorSpace,
  Vector2,
  WebGLRenderTarget,
  type Camera,
  type WebGLRenderer,
} from 'three';

/**
 * Which half of the pixels a frame draws: every second pair of lines, or every second square of a
 * checkerboard.
 */
export type InterlacePattern = 'lines' | 'checker';
/** All patterns. */
export const INTERLACE_PATTERNS: readonly InterlacePattern[] = ['lines', 'checker'];

const FULL_SCREEN = /* glsl */ `
  varying vec2 place;
  void main() {
    place = uv;
    gl_Position = vec4(position.xy, 0.0, 1.0);
  }
`;

/**
 * Draws half of the pixels of a frame, and the other half in the next one: for scenes with
 * expensive pixels.
 */
export class InterlacedRenderer {
  readonly #renderer: WebGLRenderer;
  readonly #target = new WebGLRenderTarget(1, 1, {
    colorSpace: SRGBColorSpace,
    stencilBuffer: true,
  });
  readonly #camera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
  readonly #scene = new Scene();
  readonly #screen: Mesh<PlaneGeometry, ShaderMaterial>;
  readonly #mask: ShaderMaterial;
  readonly #fill: ShaderMaterial;
  readonly #copy: ShaderMaterial;
  readonly #size = new Vector2();
  readonly #color = new Color();
  #pattern: InterlacePattern;
  #phase = 0;
  #isMaskStale = true;

  /**
   * @param pattern Which half a frame draws. Default `lines`.
   * @param cellPixels Width of a line or square, 1 or 2 pixels. Default 2.
   */
  constructor(renderer: WebGLRenderer, pattern: InterlacePattern = 'lines', cellPixels: 1 | 2 = 2) {
    this.#renderer = renderer;
    this.#pattern = pattern;
    this.#mask = new ShaderMaterial({
      vertexShader: FULL_SCREEN,
      fragmentShader: /* glsl */ `
        uniform float slant;
        uniform float cell;
        void main() {
          vec2 place = floor(gl_FragCoord.xy / cell);
          if (mod(place.y + slant * place.x, 2.0) < 1.0) discard;
          gl_FragColor = vec4(0.0);
        }
      `,
      uniforms: { slant: { value: 0 }, cell: { value: cellPixels } },
      depthTest: false,
      depthWrite: false,
      colorWrite: false,
      stencilWrite: true,
      stencilFunc: AlwaysStencilFunc,
      stencilRef: 1,
      stencilZPass: ReplaceStencilOp,
    });
    this.#fill = new ShaderMaterial({
      vertexShader: FULL_SCREEN,
      fragmentShader: 'uniform vec3 color; void main() { gl_FragColor = vec4(color, 1.0); }',
      uniforms: { color: { value: this.#color } },
      depthTest: false,
      depthWrite: false,
    });
    this.#copy = new ShaderMaterial({
      vertexShader: FULL_SCREEN,
      fragmentShader: /* glsl */ `
        uniform sampler2D image;
        varying vec2 place;
        void main() {
          gl_FragColor = texture2D(image, place);
          #include <tonemapping_fragment>
          #include <colorspace_fragment>
        }
      `,
      uniforms: { image: { value: this.#target.texture } },
      depthTest: false,
      depthWrite: false,
    });
    this.#screen = new Mesh(new PlaneGeometry(2, 2), this.#copy);
    this.#screen.frustumCulled = false;
    this.#scene.add(this.#screen);
    renderer.domElement.addEventListener('webglcontextrestored', this.#onRestored);
  }

  /** Which half of the pixels a frame draws. */
  get pattern(): InterlacePattern {
    return this.#pattern;
  }

  /** Changes the pattern, from the next frame on. */
  setPattern(pattern: InterlacePattern): void {
    this.#isMaskStale ||= pattern !== this.#pattern;
    this.#pattern = pattern;
  }

  /** Draws one frame: as `renderer.render`, to the whole canvas. Call it once a frame. */
  render(scene: Scene, camera: Camera): void {
    const renderer = this.#renderer;
    const { autoClear } = renderer;
    renderer.autoClear = false;
    this.#fit();
    renderer.setRenderTarget(this.#target);
    if (this.#isMaskStale) this.#drawMask();
    renderer.clear(false, true, false);
    this.#phase = 1 - this.#phase;
    const { stencil } = renderer.state.buffers;
    stencil.setTest(true);
    stencil.setMask(0);
    stencil.setFunc(EqualStencilFunc, this.#phase, 1);
    stencil.setOp(KeepStencilOp, KeepStencilOp, KeepStencilOp);
    // Otherwise each material would set its own stencil, usually none.
    stencil.setLocked(true);
    // Clearing ignores the stencil: the half that is drawn now is painted over instead.
    renderer.getClearColor(this.#color);
    this.#drawScreen(this.#fill);
    renderer.render(scene, camera);
    stencil.setLocked(false);
    stencil.setTest(false);
    renderer.setRenderTarget(null);
    this.#drawScreen(this.#copy);
    renderer.autoClear = autoClear;
  }

  /** Frees its resources on the graphics card. The renderer stays the application's. */
  dispose(): void {
    this.#renderer.domElement.removeEventListener('webglcontextrestored', this.#onRestored);
    this.#target.dispose();
    this.#screen.geometry.dispose();
    for (const material of [this.#mask, this.#fill, this.#copy]) material.dispose();
  }

  #fit(): void {
    this.#renderer.getDrawingBufferSize(this.#size);
    const { x, y } = this.#size;
    if (this.#target.width === x && this.#target.height === y) return;
    this.#target.setSize(x, y);
    this.#isMaskStale = true;
  }

  #drawMask(): void {
    this.#isMaskStale = false;
    const { slant } = this.#mask.uniforms;
    if (slant !== undefined) slant.value = this.#pattern === 'checker' ? 1 : 0;
    this.#renderer.clear(true, true, true);
    this.#drawScreen(this.#mask);
  }

  #drawScreen(material: ShaderMaterial): void {
    this.#screen.material = material;
    this.#renderer.render(this.#scene, this.#camera);
  }

  /** The pattern was lost with the context. */
  readonly #onRestored = (): void => {
    this.#isMaskStale = true;
  };
}
