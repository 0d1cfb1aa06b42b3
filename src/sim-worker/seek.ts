/** Takes a run to where a stretch of it ends, as fast as it goes. */
import type { ReplayOrder, ReplayReport } from '../shared/control-protocol.js';
import type { EventLoopTurn } from './event-loop-turn.js';
import { ReplayScript } from './replay-script.js';
import type { SimulationRun } from './simulation-run.js';

/** So often the event loop gets a turn, in ms: control calls are answered meanwhile. */
const SLICE_MS = 50;

export interface SeekParts {
  readonly now: () => number;
  readonly turn: EventLoopTurn;
  /** Called after every tick: the run is alive. */
  readonly onTick: () => void;
  readonly isStopRequested: () => boolean;
  /** The page may still wait for what commands among the orders answer. */
  readonly isAnswered: boolean;
}

/**
 * Restores, or builds the beginning of the run, and runs the ticks. Nothing of it is journalled or told: whoever asks
 * for it knows it.
 *
 * @throws What the simulation throws. The run then stands at the tick before.
 */
export async function seek(
  run: SimulationRun,
  order: ReplayOrder,
  { now, turn, onTick, isStopRequested, isAnswered }: SeekParts,
): Promise<ReplayReport> {
  const script = new ReplayScript(order.entries, order.untilTick, isAnswered);
  run.setJournaling(false);
  run.events.setMuted(true);
  const policy = run.invalidPoses;
  run.invalidPoses = order.run.invalidPoses;
  try {
    run.requireSameEngine(order.run.engine);
    run.requireCommands(order.entries);
    if (order.from === undefined) run.reset(order.run);
    else run.restore(order.from);
    while (run.tick < order.untilTick && !isStopRequested()) {
      const endMs = now() + SLICE_MS;
      while (run.tick < order.untilTick && now() < endMs) {
        const tick = run.tick + 1;
        run.runTick(script.stepSOf(tick) ?? run.stepS, script.ordersOf(tick));
        script.check(tick, () => run.hash());
        onTick();
      }
      await turn.take();
    }
  } finally {
    run.invalidPoses = policy;
    run.setJournaling(true);
    run.events.setMuted(false);
  }
  return script.report(run.tick);
}
