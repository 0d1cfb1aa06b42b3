/** A page that handles no error, so that the console shows them. The address says what throws. */
import { connect } from '../../../src/render-main/index.js';

const place = location.hash.slice(1);

const sim = await connect(
  () =>
    place === 'top'
      ? new Worker(new URL('./throws-at-load.worker.ts', import.meta.url), { type: 'module' })
      : new Worker(new URL('./throws.worker.ts', import.meta.url), { type: 'module' }),
  { setup: place },
);
if (place === 'command') await sim.commands['failingCommand']?.();
if (place === 'query') await sim.queries['failingQuery']?.();
