/**
 * The order in which a simulation ends: a request to stop, the acknowledgement, and only then the
 * termination.
 */
import { expect, test } from 'vitest';
import { connect } from '../../../src/render-main/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';

test.each([true, false])(
  'a worker is terminated when it has left its loop and not before (paused: %s)',
  async (startPaused) => {
    // However long it takes here: a worker is waited for this many ms.
    const time = new VirtualTime();
    const order: string[] = [];
    const local = runLocally({
      init: () => {},
      step: () => {},
      dispose: () => order.push('the simulation has ended'),
    });
    const worker = {
      ...local,
      terminate: () => {
        order.push('terminated');
        local.terminate();
      },
    };
    const simulation = await connect(() => worker, { transport: 'local', startPaused });
    expect(order).toEqual([]);
    await time.until(simulation.dispose());
    expect(order).toEqual(['the simulation has ended', 'terminated']);
    await simulation.dispose();
    expect(order).toHaveLength(2);
  },
);
