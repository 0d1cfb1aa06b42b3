/** Whatever moves the run, `bodies` of the page has the bodies that its frames show. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connect, type SimulationHandle } from '../../../src/render-main/index.js';
import type { SavedState } from '../../../src/shared/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { createComingAndGoing, type ComingAndGoing } from '../../fixtures/coming-and-going.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';
import { WatchedBodies } from '../../fixtures/watched-bodies.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

type Handle = Awaited<ReturnType<typeof connectTo>>;

const connectTo = () =>
  connect<ComingAndGoing>(
    () => runLocally(createComingAndGoing()),
    // Events are lost in nearly every tick.
    tuned({ transport: 'local', capacity: 8, recovery: 'restart' }, { eventWords: 256 }),
  );

const kinds = [
  'run',
  'run',
  'step',
  'seek',
  'save',
  'restore',
  'openReplay',
  'close',
  'restart',
  'command',
  'refused query',
  'fail',
  'rate',
] as const;
type Action = readonly [kind: (typeof kinds)[number], number: number];

const EACH_ONCE: Action[] = [
  ['refused query', 1],
  ['run', 0],
  ['refused query', 3],
  ['run', 0],
  ['refused query', 0],
  ['save', 0],
  ['run', 0],
  ['seek', 20],
  ['run', 0],
  ['restore', 0],
  ['openReplay', 0],
  ['close', 0],
  ['restart', 7],
  ['run', 0],
  ['fail', 0],
  ['run', 0],
];

/** Frames at odd times, and sometimes none for longer than the history is. */
async function frames(
  time: VirtualTime,
  simulation: Handle,
  watched: WatchedBodies,
  count: number,
) {
  for (let frame = 0; frame < count; frame++) {
    await time.advance(frame % 5 === 4 ? 90 : 7);
    // Posted messages arrive.
    await time.advance(0);
    simulation.sample(time.nowMs);
    watched.expectDrawn();
  }
}

async function act(
  simulation: Handle,
  [kind, number]: Action,
  saved: SavedState[],
): Promise<unknown> {
  const { tick } = simulation.stats();
  switch (kind) {
    case 'run':
      return simulation.replay?.state === 'ended' ? simulation.replay.close() : simulation.resume();
    case 'step':
      await simulation.pause();
      return simulation.step(number);
    case 'seek':
      if (simulation.replay !== undefined) return simulation.replay.seek(number % (tick + 1));
      return simulation.seek(Math.max(simulation.recording().start?.tick ?? 0, tick - number));
    case 'save':
      return saved.push(await simulation.save());
    case 'restore':
      return simulation.restore(saved[number % saved.length] ?? (await simulation.save()));
    case 'openReplay':
      return simulation.openReplay(simulation.recording());
    case 'close':
      return simulation.replay?.close();
    case 'restart':
      return simulation.queries.restart(number);
    case 'command':
      // It is settled by later ticks, if at all.
      simulation.commands.come().catch(() => {});
      return undefined;
    case 'refused query':
      return number % 2 === 0 ? simulation.queries.comeInQuery() : simulation.queries.goInQuery();
    case 'fail':
      return simulation.queries.fail();
    default:
      return simulation.setTickRate(20 + number * 5);
  }
}

test('the map of bodies at each shown frame has the bodies of that tick', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat({ max: 30 })), {
        minLength: 4,
        maxLength: 12,
        size: 'max',
      }),
      async (actions) => {
        const time = new VirtualTime();
        const simulation = await connectTo();
        simulation.on('status', () => {});
        const watched = new WatchedBodies(simulation as unknown as SimulationHandle);
        const saved: SavedState[] = [];
        await frames(time, simulation, watched, 3);
        for (const action of actions) {
          // Refusals, such as for a tick that does not exist, are part of it.
          await time.until(act(simulation, action, saved).catch(() => {}));
          await frames(time, simulation, watched, 6);
        }
        expect(watched.changes.length).toBeGreaterThan(1);
        await time.until(simulation.dispose());
        time.giveBack();
      },
    ),
    { numRuns: 4, examples: [[EACH_ONCE]] },
  );
});
