/** Tells what happens to the simulation as a whole. */
import type { SimulationStatus } from '../../src/render-main/index.js';
import { slotOf } from '../../src/shared/index.js';
import { showCondition, showToast } from './notices.js';
import type { DemoSimulation } from './simulation-session.js';

/** Bodies that go bad within this time are told of together, in ms: one may spoil its neighbours. */
const TOGETHER_MS = 150;

/** Follows a simulation, for as long as it lives. */
export function tellStatus(simulation: DemoSimulation): void {
  const teller = new StatusTeller();
  simulation.onStatus((status) => teller.tell(status));
  simulation.onDispose(() => teller.endCondition());
  if (simulation.transport.kind === 'transfer') showToast(NOT_SHARED);
}

class StatusTeller {
  #end: (() => void) | undefined;
  #cause = '';
  #badBodies: string[] = [];

  tell(status: SimulationStatus): void {
    switch (status.kind) {
      case 'stalled':
        this.#begin('The simulation does not answer; the last picture stays.');
        break;
      case 'restarting':
        this.#cause = status.error.message;
        this.#begin('The simulation is being restarted.');
        break;
      case 'restarted':
        this.endCondition();
        showToast(restartText(this.#cause, status));
        break;
      case 'recovered':
      case 'failed':
        this.endCondition();
        break;
      case 'invalid-pose':
        this.#noteBadBody(`body ${slotOf(status.body)} in tick ${status.tick}`);
        break;
      case 'watchdog':
        if (status.state === 'unresponsive') showToast(OVERLOADED);
        break;
      default:
    }
  }

  endCondition(): void {
    this.#end?.();
    this.#end = undefined;
  }

  #begin(text: string): void {
    this.endCondition();
    this.#end = showCondition(text);
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

const OVERLOADED =
  'The simulation needs more time than there is, and goes on in slow motion. Fewer bodies or a lower tick rate ' +
  'make it faster; a pause starts the judgement anew.';

function restartText(
  cause: string,
  { tick, replayedTicks, skippedOrders }: Extract<SimulationStatus, { kind: 'restarted' }>,
): string {
  const skipped =
    skippedOrders === 0
      ? ''
      : ` What tick ${tick + 1} was given is left out, because it failed twice with it: ${skippedOrders}.`;
  const ticks = replayedTicks === 1 ? '1 tick was' : `${replayedTicks} ticks were`;
  return `The simulation was restarted and goes on after tick ${tick}; ${ticks} run again.${skipped} Cause: ${cause}.`;
}
