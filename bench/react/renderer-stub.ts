/** A renderer that draws nothing. */
import type { WebGLRenderer } from 'three';

/** The interface that fiber needs of a renderer. */
export function rendererStub(canvas: HTMLCanvasElement, onRender = () => {}): WebGLRenderer {
  const stub = {
    domElement: canvas,
    shadowMap: {},
    render: onRender,
    setPixelRatio() {},
    setSize() {},
    dispose() {},
  };
  return stub as unknown as WebGLRenderer;
}
