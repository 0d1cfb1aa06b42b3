/** The renderer, and what happens to it when the graphics card goes away. */
import { WebGLRenderer } from 'three';

/** @throws Error if the browser has no WebGL 2 to give. */
export function createRenderer(canvas: HTMLCanvasElement): WebGLRenderer {
  // Asked for here: three would complain on the console as well.
  const context = canvas.getContext('webgl2', {
    alpha: false,
    // Could not be changed later: see multisampled.ts.
    antialias: false,
    depth: true,
    stencil: false,
    powerPreference: 'high-performance',
  });
  if (context === null) {
    throw new Error(
      'This page draws with WebGL 2, and the browser gives none: switch hardware acceleration on ' +
        'in its settings, or try another browser.',
    );
  }
  const renderer = new WebGLRenderer({ canvas, context });
  // No tone mapping: the light is made so that colours come out as they were chosen, and it costs nothing.
  renderer.shadowMap.enabled = true;
  return renderer;
}

/** How renderers without a graphics card name themselves. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Pictures are drawn by the processor, as far as the browser tells. */
export function isSoftwareRenderer(renderer: WebGLRenderer): boolean {
  const context = renderer.getContext();
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const name = info === null ? context.RENDERER : info.UNMASKED_RENDERER_WEBGL;
  return SOFTWARE.test(String(context.getParameter(name)));
}
