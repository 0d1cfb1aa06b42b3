/** The renderer, and how it handles a lost context. */
import { WebGLRenderer } from 'three';

/** @throws Error if the browser has no WebGL 2. */
export function createRenderer(canvas: HTMLCanvasElement): WebGLRenderer {
  // Requested here: three would also complain on the console.
  const context = canvas.getContext('webgl2', {
    alpha: false,
    // Without it, edges are stairs where few pixels are drawn. A software renderer needs a quarter longer.
    antialias: true,
    depth: true,
    stencil: false,
    powerPreference: 'high-performance',
  });
  if (context === null) {
    throw new Error(
      'This page needs WebGL 2, which is not available. Turn on hardware acceleration in the ' +
        "browser's settings, or try another browser.",
    );
  }
  const renderer = new WebGLRenderer({ canvas, context });
  // No tone mapping: the lights are set so that colours appear as they were chosen, and it costs
  // nothing.
  renderer.shadowMap.enabled = true;
  return renderer;
}

/** How software renderers name themselves. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Whether a software renderer draws, as far as the browser reports that. */
export function isSoftware(context: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const name = info === null ? context.RENDERER : info.UNMASKED_RENDERER_WEBGL;
  return SOFTWARE.test(String(context.getParameter(name)));
}
