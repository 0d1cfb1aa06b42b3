/** Keys with which developers repeat the newest part of a run. Loaded only in development. */
import type { SimulationHandle } from '../api/simulation-handle.js';
import { repetitionOf, startRepetition } from '../session/run-repetition.js';

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
      toggle(simulation).catch((error: unknown) =>
        say('warn', `it is not repeated: ${String(error)}`),
      );
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
    const why = error instanceof Error ? error.message : String(error);
    say(
      'warn',
      `the repetition has ended, and the run is paused: ${why}. Correct the code, and it repeats again`,
    );
  });
}

/** The simulation has other code. */
export async function repeatAgain(simulation: SimulationHandle): Promise<void> {
  if (waiting.has(simulation)) await begin(simulation);
}

function say(level: 'info' | 'warn', text: string): void {
  console[level](`betwixt: ${text}`);
}
