/** Keys with which developers repeat the newest part of a run. Loaded only in development. */
import type { SimulationHandle } from '../api/simulation-handle.js';
import { repetitionOf, startRepetition } from '../session/run-repetition.js';
import { messageOf, say } from './say.js';

const isKey = ({ altKey, shiftKey, code, repeat }: KeyboardEvent): boolean =>
  altKey && shiftKey && code === 'KeyR' && !repeat;

/** Listens to the keys until the simulation has ended. */
export function listenToKeys(simulation: SimulationHandle): void {
  if (typeof document === 'undefined') return;
  const onKey = (event: KeyboardEvent): void => {
    if (simulation.state === 'disposed' || simulation.state === 'failed') {
      removeEventListener('keydown', onKey);
    } else if (isKey(event)) {
      event.preventDefault();
      void reported(toggle(simulation));
    }
  };
  addEventListener('keydown', onKey);
}

/** Those whose repetition has ended because their code has thrown: it begins again with code that was corrected. */
const waiting = new WeakSet<SimulationHandle>();

async function toggle(simulation: SimulationHandle): Promise<void> {
  const running = repetitionOf(simulation);
  if (running === undefined) {
    await begin(simulation);
    return;
  }
  await running.stop();
  say('info', `the run continues after tick ${running.untilTick}`);
}

async function begin(simulation: SimulationHandle): Promise<void> {
  waiting.delete(simulation);
  const { fromTick, untilTick, ended } = await startRepetition(simulation, {});
  say('info', `repeats ticks ${fromTick + 1} to ${untilTick}, until Alt+Shift+R is pressed again`);
  ended.catch((error: unknown) => {
    if (simulation.state === 'disposed' || simulation.state === 'failed') return;
    waiting.add(simulation);
    const why = messageOf(error);
    say(
      'warn',
      `the repetition has ended, and the run is paused: ${why}. Correct the code, and it repeats again`,
    );
  });
}

/** The simulation has other code. */
export async function repeatAgain(simulation: SimulationHandle): Promise<void> {
  if (waiting.has(simulation)) await reported(begin(simulation));
}

const reported = (work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) => say('warn', `it is not repeated: ${String(error)}`));
