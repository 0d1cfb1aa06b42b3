/** The renderer, and what happens to it when the graphics card goes away. */
import { WebGLRenderer } from 'three';

export interface RendererOptions {
  readonly canvas: HTMLCanvasElement;
  readonly antialias: boolean;
}

/** @throws Error if the browser has no WebGL 2 to give. */
export function createRenderer({ canvas, antialias }: RendererOptions): WebGLRenderer {
  // Asked for here: three would complain on the console as well.
  const context = canvas.getContext('webgl2', {
    alpha: false,
    antialias,
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
