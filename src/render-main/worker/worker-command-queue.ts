/** The queue of the current worker, from which commands can be withdrawn. */
import type { CommandQueue } from '../queues/command-calls.js';
import type { InputSender } from '../queues/input-sender.js';
import type { WorkerSupervisor } from './worker-supervisor.js';

export class WorkerCommandQueue implements CommandQueue {
  readonly #supervisor: WorkerSupervisor;
  readonly #inputs: InputSender;

  constructor(supervisor: WorkerSupervisor, inputs: InputSender) {
    this.#supervisor = supervisor;
    this.#inputs = inputs;
  }

  /** For a worker without shared memory: resolves when it takes calls. */
  whenReady(): Promise<void> | undefined {
    if (!this.#isApart) return undefined;
    const supervisor = this.#supervisor;
    return supervisor.carryOver(() => supervisor.call((remote) => remote.ready()));
  }

  withdraw(call: number): boolean | Promise<boolean> {
    return this.#isApart && !this.#supervisor.isRestarting
      ? this.#askToWithdraw(call)
      : this.#inputs.withdraw(call);
  }

  /** Asks the worker to remove a command from its queue; if that worker is gone, removes it wherever it is. */
  async #askToWithdraw(call: number): Promise<boolean> {
    try {
      return await this.#supervisor.link.client.call((remote) => remote.withdraw(call));
    } catch {
      // If the next worker already has it, that one is asked.
      return this.#supervisor.ended === undefined && this.withdraw(call);
    }
  }

  /** The worker has its own memory, which this page cannot access. */
  get #isApart(): boolean {
    return this.#supervisor.link.transport.kind === 'transfer';
  }
}
