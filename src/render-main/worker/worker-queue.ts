/** The queue of commands, and how one is taken back from it: where memory is not shared, the worker has to be asked. */
import type { CommandQueue } from '../queues/command-calls.js';
import type { InputSender } from '../queues/input-sender.js';
import type { WorkerSupervisor } from './worker-supervisor.js';

export class WorkerQueue implements CommandQueue {
  readonly #supervisor: WorkerSupervisor;
  readonly #inputs: InputSender;

  constructor(supervisor: WorkerSupervisor, inputs: InputSender) {
    this.#supervisor = supervisor;
    this.#inputs = inputs;
  }

  /** Of a worker that has memory of its own: resolves when it takes calls. */
  whenReady(): Promise<void> | undefined {
    return this.#isWorkerApart ? this.#whenReady() : undefined;
  }

  withdraw(call: number): boolean | Promise<boolean> {
    return this.#isWorkerApart && !this.#supervisor.isRestarting
      ? this.#askToWithdraw(call)
      : this.#inputs.withdraw(call);
  }

  /** The worker has memory of its own, which this page does not reach. */
  get #isWorkerApart(): boolean {
    return this.#supervisor.link.transport.kind === 'transfer';
  }

  /** Resolves when the worker takes calls. */
  async #whenReady(): Promise<void> {
    for (;;) {
      try {
        await this.#supervisor.call((remote) => remote.ready());
        return;
      } catch (error) {
        if (!this.#supervisor.isReplacement(error)) throw error;
      }
    }
  }

  /** Has the worker take a command out of its queue, or finds it where it is when that worker is gone. */
  async #askToWithdraw(call: number): Promise<boolean> {
    try {
      return await this.#supervisor.link.client.call((remote) => remote.withdraw(call));
    } catch {
      if (this.#supervisor.ended !== undefined) return false;
      // Given to the next worker already, it is asked.
      return this.#supervisor.isRestarting
        ? this.#inputs.withdraw(call)
        : this.#askToWithdraw(call);
    }
  }
}
