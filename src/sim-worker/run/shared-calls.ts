/**
 * Answers the calls of queries that the page leaves in shared memory; see src/shared/memory/call-slot.ts.
 *
 * A plain answer is posted at once. It needs neither a turn of the event loop nor Comlink, whose code would run cold and
 * take longer than the query. Other answers are left to Comlink: errors, promises, and what needs a handler or
 * cannot be cloned.
 */
import { expose, transferHandlers, type Endpoint } from 'comlink';
import { SLOT_IS_CLOSED, SLOT_IS_OPEN, callUnitsOf } from '../../shared/memory/call-slot.js';
import { CONTROL } from '../../shared/memory/layout.js';
import { thrownError } from '../../shared/util/errors.js';
import type { Simulation } from '../api/simulation.js';
import type { CallSlot, PageCalls } from '../thread/page-calls.js';
import { invalidMessage } from '../thread/page-messages.js';
import { runQuery } from './run-query.js';
import type { SimulationRun } from './simulation-run.js';

export class SharedCalls implements CallSlot {
  readonly #control: Int32Array;
  readonly #units: Uint16Array;
  readonly #calls: PageCalls;
  readonly #port: Endpoint;
  readonly #ask: (name: string, args: readonly unknown[]) => unknown;
  /** Lets Comlink answer the call with this id. */
  readonly #answerBy: (id: number, answer: () => unknown) => void;

  constructor(
    control: Int32Array,
    calls: PageCalls,
    port: Endpoint,
    run: SimulationRun,
    simulation: Simulation,
  ) {
    this.#control = control;
    this.#units = callUnitsOf(control);
    this.#calls = calls;
    this.#port = port;
    // Its queries may be others after its initialization.
    this.#ask = (name, args) => runQuery(run, simulation.queries, name, args);
    this.#answerBy = answererFor(port, calls);
    this.open();
  }

  get isFull(): boolean {
    return Atomics.load(this.#control, CONTROL.callLength) > 0;
  }

  take(): void {
    const length = Atomics.load(this.#control, CONTROL.callLength);
    if (length <= 0) return;
    const text = String.fromCharCode(...this.#units.subarray(0, length));
    this.open();
    this.#answer(text);
  }

  open(): void {
    Atomics.store(this.#control, CONTROL.callLength, SLOT_IS_OPEN);
  }

  close(): void {
    while (this.#closedFrom() > 0) this.take();
  }

  #closedFrom(): number {
    return Atomics.compareExchange(this.#control, CONTROL.callLength, SLOT_IS_OPEN, SLOT_IS_CLOSED);
  }

  #answer(text: string): void {
    const [id, name, args] = callIn(text);
    if (typeof id !== 'number' || typeof name !== 'string' || !Array.isArray(args)) {
      this.#port.postMessage(invalidMessage('a call in memory is none'));
      return;
    }
    // After a tick that has thrown, it is never answered.
    if (!this.#calls.arrive()) return;
    let answer = (): unknown => this.#ask(name, args);
    // Behind one whose part of the library loads.
    if (!this.#calls.isLoading) {
      try {
        const value = answer();
        answer = () => value;
        if (this.#post(id, value)) return;
      } catch (error) {
        answer = () => {
          throw error;
        };
      }
    }
    this.#answerBy(id, answer);
  }

  /** @returns False if the answer is not plain. */
  #post(id: number, value: unknown): boolean {
    if (typeof value === 'object' && value !== null && !isSentAsItIs(value)) return false;
    try {
      this.#port.postMessage({ id, type: 'RAW', value });
      return true;
    } catch {
      return false;
    }
  }
}

/** Whether no handler decides how an object is sent. Only lists and plain objects are: Comlink knows what to transfer. */
function isSentAsItIs(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === Array.prototype;
  if (!isPlain || 'then' in value) return false;
  for (const handler of transferHandlers.values()) if (handler.canHandle(value)) return false;
  return true;
}

function callIn(text: string): readonly unknown[] {
  try {
    const call: unknown = JSON.parse(text);
    return Array.isArray(call) ? call : [];
  } catch {
    return [];
  }
}

/** Lets Comlink answer calls that it has not received. */
function answererFor(port: Endpoint, calls: PageCalls) {
  let receive: ((event: object) => void) | undefined;
  let answer: () => unknown;
  const answerInTurn = (): Promise<unknown> =>
    calls.inTurn(answer).catch((error: unknown) => Promise.reject(thrownError(error)));
  expose(answerInTurn, {
    postMessage: (message: unknown, transfer: Transferable[] = []) =>
      port.postMessage(message, transfer),
    addEventListener: (_: string, listener: unknown) => {
      receive = listener as typeof receive;
    },
    removeEventListener: () => {},
  });
  return (id: number, given: () => unknown): void => {
    answer = given;
    receive?.({ data: { id, type: 'APPLY', path: [], argumentList: [] } });
  };
}
