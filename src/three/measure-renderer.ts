/** Measures the time that a page spends in a renderer, for `stats().load.renderer`. */
import type { Camera, Object3D } from 'three';
import { rendererTime } from '../render-main/session/worker-counters.js';

/** A renderer of three.js: `WebGLRenderer`, `WebGPURenderer`, or anything else with such a method. */
export interface MeasuredRenderer {
  /** Draws a scene as a camera sees it. */
  render: (scene: Object3D, camera: Camera) => unknown;
}

/**
 * Measures a renderer from now on, for `stats().load.renderer` of all simulations on this page. It replaces the method
 * `render` by one that reads the clock before and after. That is the time of the page's thread: what the graphics card does
 * afterwards is not in it.
 *
 * @returns Ends it: the renderer has its own method again.
 */
export function measureRenderer(renderer: MeasuredRenderer): () => void {
  const { render } = renderer;
  let isRendering = false;
  rendererTime.ms ||= 0;
  renderer.render = (scene, camera) => {
    // A mirror renders within the rendering.
    if (isRendering) return render.call(renderer, scene, camera);
    isRendering = true;
    const startMs = performance.now();
    try {
      return render.call(renderer, scene, camera);
    } finally {
      isRendering = false;
      rendererTime.ms += performance.now() - startMs;
    }
  };
  return () => {
    renderer.render = render;
  };
}
