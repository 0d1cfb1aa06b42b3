/** Notices about the simulation as a whole. */
import type { SimulationStatus } from '../../src/render-main/index.js';
import { slotOf } from '../../src/shared/index.js';
import { showCondition, showToast } from '../../site/notices.js';
import type { SettingsStore } from '../../site/settings-store.js';
import type { Settings } from './settings.js';
import type { DemoSimulation } from './start-simulation.js';

/** Longer than what the panel can cause, in ms. */
const OVERLOADED_AFTER_MS = 3000;
/** Invalid poses within this time are reported together, in ms, because they spread to neighbors. */
const TOGETHER_MS = 150;

/** @returns Follows a simulation as long as it lives. */
export function createStatusNotifier(
  store: SettingsStore<Settings>,
): (simulation: DemoSimulation) => void {
  return (simulation) => {
    const notifier = new StatusNotifier(store);
    simulation.on('status', (status) => notifier.notify(status));
    // No notice if the user chose it.
    if (store.current.transport === 'auto' && simulation.transport.kind === 'transfer') {
      showToast(NOT_SHARED);
    }
  };
}

class StatusNotifier {
  readonly #store: SettingsStore<Settings>;
  #endCondition: (() => void) | undefined;
  #overload: ReturnType<typeof setTimeout> | undefined;
  #cause = '';
  #badBodies: string[] = [];

  constructor(store: SettingsStore<Settings>) {
    this.#store = store;
  }

  notify(status: SimulationStatus): void {
    switch (status.kind) {
      case 'stalled':
        this.#begin('The simulation is not responding. The last frame stays on screen.');
        break;
      case 'restarting':
        this.#cause = status.error.message;
        this.#begin('The simulation is being restarted.');
        break;
      case 'restarted':
        this.#end();
        showToast(restartText(this.#cause, status));
        break;
      case 'recovered':
      case 'failed':
        this.#end();
        break;
      case 'disposed':
        this.#end();
        clearTimeout(this.#overload);
        break;
      case 'invalid-pose':
        this.#noteBadBody(`body ${slotOf(status.body)} in tick ${status.tick}`);
        break;
      case 'recording-full':
        showToast(RECORDING_FULL);
        break;
      case 'slow':
        clearTimeout(this.#overload);
        if (status.isSlow) {
          this.#overload = setTimeout(() => {
            if (!this.#store.current.paused) showToast(OVERLOADED);
          }, OVERLOADED_AFTER_MS);
        }
        break;
      default:
    }
  }

  #begin(text: string): void {
    this.#end();
    this.#endCondition = showCondition(text);
  }

  #end(): void {
    this.#endCondition?.();
    this.#endCondition = undefined;
  }

  #noteBadBody(text: string): void {
    this.#badBodies.push(text);
    if (this.#badBodies.length > 1) return;
    setTimeout(() => {
      const [first, ...others] = this.#badBodies.splice(0);
      const more = others.length === 0 ? '' : `, and ${others.length} more`;
      showToast(
        `Invalid position: ${first}${more}. Such bodies are frozen at their last valid position; everything else ` +
          'keeps running.',
      );
    }, TOGETHER_MS);
  }
}

const NOT_SHARED =
  'This page cannot use shared memory, so states are sent as messages. The console explains why, and how to ' +
  'change it.';

const RECORDING_FULL =
  'The recording is full. The run continues, but from here on it cannot be saved, replayed or rewound. Loading a ' +
  'scene starts a new recording.';

const OVERLOADED =
  'The simulation is too slow and runs in slow motion. Use fewer bodies or a lower tick rate.';

function restartText(
  cause: string,
  { tick, replayedTicks, skippedInputs }: Extract<SimulationStatus, { kind: 'restarted' }>,
): string {
  const skipped =
    skippedInputs === 0
      ? ''
      : ` Tick ${tick + 1} failed twice, so its inputs were skipped: ${skippedInputs}.`;
  const ticks = replayedTicks === 1 ? '1 tick' : `${replayedTicks} ticks`;
  return `The simulation was restarted at tick ${tick} and repeated ${ticks}.${skipped} Cause: ${cause}.`;
}
