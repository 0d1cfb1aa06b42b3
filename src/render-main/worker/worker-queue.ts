/** Withdraws commands from the queue: without shared memory, the worker must be asked. */
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

  /** For a worker without shared memory: resolves when it takes calls. */
  whenReady(): Promise<void> | undefined {
    return this.#isWorkerApart ? this.#whenReady() : undefined;
  }

  withdraw(call: number): boolean | Promise<boolean> {
    return this.#isWorkerApart && !this.#supervisor.isRestarting
      ? this.#askToWithdraw(call)
      : this.#inputs.withdraw(call);
  }

  /** The worker has its own memory, which this page cannot access. */
  get #isWorkerApart(): boolean {
    return this.#supervisor.link.transport.kind === 'transfer';
  }

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

  /** Asks the worker to remove a command from its queue; if that worker is gone, removes it wherever it is. */
  async #askToWithdraw(call: number): Promise<boolean> {
    try {
      return await this.#supervisor.link.client.call((remote) => remote.withdraw(call));
    } catch {
      if (this.#supervisor.ended !== undefined) return false;
      // If the next worker already has it, that one is asked.
      return this.#supervisor.isRestarting
        ? this.#inputs.withdraw(call)
        : this.#askToWithdraw(call);
    }
  }
}
