import { keyboardSource } from 'betwixt/inputs';
import { canRenderInWorker, renderInWorker } from 'betwixt/offscreen';

const canvas = document.querySelector('canvas') as HTMLCanvasElement;
if (canRenderInWorker()) {
  const { inputs } = renderInWorker(
    canvas,
    () => new Worker(new URL('./render.worker.ts', import.meta.url), { type: 'module' }),
  );
  keyboardSource(inputs);
} else {
  await import('./draw-on-page.js'); // your code for browsers that cannot
}
