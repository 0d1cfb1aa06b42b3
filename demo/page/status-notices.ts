/** Tells what happens to the simulation as a whole. */
import type { SimulationStatus } from '../../src/render-main/index.js';
import { slotOf } from '../../src/shared/index.js';
import { showCondition, showToast } from '../../site/common/notices.js';
import type { SettingsStore } from '../../site/common/settings-store.js';
import type { Settings } from './settings.js';
import type { DemoSimulation } from './start-simulation.js';

/** Bodies that go bad within this time are told of together, in ms: one may spoil its neighbours. */
const TOGETHER_MS = 150;

/** @returns Follows a simulation as long as it lives. */
export function createStatusNotifier(
  store: SettingsStore<Settings>,
): (simulation: DemoSimulation) => void {
  let notifier: StatusNotifier | undefined;
  store.onChange(({ paused }) => {
    if (!paused) notifier?.endPause();
  });
  return (simulation) => {
    const own = new StatusNotifier(store);
    notifier = own;
    simulation.on('status', (status) => own.notify(status));
    // Who asked for it knows.
    if (store.current.transport === 'auto' && simulation.transport.kind === 'transfer') {
      showToast(NOT_SHARED);
    }
  };
}

class StatusNotifier {
  readonly #store: SettingsStore<Settings>;
  #endCondition: (() => void) | undefined;
  #endPause: (() => void) | undefined;
  #cause = '';
  #badBodies: string[] = [];

  constructor(store: SettingsStore<Settings>) {
    this.#store = store;
  }

  notify(status: SimulationStatus): void {
    switch (status.kind) {
      case 'stalled':
        this.#begin('The simulation does not answer; the last picture stays.');
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
        this.end();
        break;
      case 'invalid-pose':
        this.#noteBadBody(`body ${slotOf(status.body)} in tick ${status.tick}`);
        break;
      case 'recording-full':
        showToast(RECORDING_FULL);
        break;
      case 'watchdog':
        if (status.state === 'unresponsive') this.#notifyOverload();
        break;
      default:
    }
  }

  /** It runs again. */
  endPause(): void {
    this.#endPause?.();
    this.#endPause = undefined;
  }

  end(): void {
    this.#end();
    this.endPause();
  }

  #begin(text: string): void {
    this.#end();
    this.#endCondition = showCondition(text);
  }

  #end(): void {
    this.#endCondition?.();
    this.#endCondition = undefined;
  }

  #notifyOverload(): void {
    if (this.#store.current.overload === 'slow-motion') {
      showToast(OVERLOADED);
      return;
    }
    // Panel, address and simulation follow.
    this.#store.update({ paused: true });
    this.#endPause ??= showCondition(PAUSED);
  }

  #noteBadBody(text: string): void {
    this.#badBodies.push(text);
    if (this.#badBodies.length > 1) return;
    setTimeout(() => {
      const [first, ...others] = this.#badBodies.splice(0);
      const more = others.length === 0 ? '' : `, and ${others.length} more`;
      showToast(
        `A position was no number: ${first}${more}. Such bodies are held where they last were well; everything ` +
          'else goes on.',
      );
    }, TOGETHER_MS);
  }
}

const NOT_SHARED =
  'This page may not share memory, so states are sent to it instead. The scene is the same; why, and what to do for ' +
  'the faster way, is on the console.';

const RECORDING_FULL =
  'The recording of this run is full. The run goes on, but what comes from here on cannot be saved, replayed or gone back ' +
  'to. A new scene begins a new recording.';

const OVERLOADED =
  'The simulation needs more time than there is, and goes on in slow motion. Fewer bodies or a lower tick rate ' +
  'make it faster; a pause starts the judgement anew.';

const PAUSED =
  'Paused, because the simulation needs more time than there is. Fewer bodies or a lower tick rate make it faster; ' +
  'Space, or Resume in the settings, goes on.';

function restartText(
  cause: string,
  { tick, replayedTicks, skippedInputs }: Extract<SimulationStatus, { kind: 'restarted' }>,
): string {
  const skipped =
    skippedInputs === 0
      ? ''
      : ` What tick ${tick + 1} was given is left out, because it failed twice with it: ${skippedInputs}.`;
  const ticks = replayedTicks === 1 ? '1 tick was' : `${replayedTicks} ticks were`;
  return `The simulation was restarted and goes on after tick ${tick}; ${ticks} run again.${skipped} Cause: ${cause}.`;
}
