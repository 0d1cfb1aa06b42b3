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

async function toggle(simulation: SimulationHandle): Promise<void> {
  const running = repetitionOf(simulation);
  if (running !== undefined) {
    await running.stop();
    say('info', `the run continues after tick ${running.untilTick}`);
    return;
  }
  const { fromTick, untilTick } = await startRepetition(simulation, {});
  say('info', `repeats ticks ${fromTick + 1} to ${untilTick}, until Alt+Shift+R is pressed again`);
}

function say(level: 'info' | 'warn', text: string): void {
  console[level](`betwixt: ${text}`);
}
