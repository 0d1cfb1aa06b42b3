/** What a supervisor of workers is constructed with. */
import type { WorkerMessage } from '../../shared/protocol/control-protocol.js';
import type { WorkerFailedError } from '../../shared/util/errors.js';
import type { ResolvedOptions } from '../api/check-options.js';
import type { CreateWorker } from '../api/create-worker.js';
import type { SimulationStatus } from '../api/simulation-status.js';
import type { CommandCalls } from '../queues/command-calls.js';
import type { InputSender } from '../queues/input-sender.js';
import type { failedBy } from '../util/worker-errors.js';
import type { ControlClient } from './control-client.js';
import type { PageClock } from './page-clock.js';
import type { WorkerLink } from './worker-link.js';
import type { FailurePoint, WorkerRestarter } from './worker-restarter.js';

export interface SupervisorParts {
  readonly createWorker: CreateWorker;
  readonly options: ResolvedOptions;
  /** Replaces a worker that fails. Undefined: the simulation fails with its worker. */
  readonly Restarter: typeof WorkerRestarter | undefined;
  /** For the restarter, which may load before everything else: a module that both import would become another file. */
  readonly failedBy: typeof failedBy;
  /** Returns what leads to the tick after which the worker failed. */
  readonly failureAt: (error: WorkerFailedError) => FailurePoint;
  readonly inputs: InputSender;
  readonly calls: CommandCalls;
  /** Sends a worker the assets that it lacks. */
  readonly sendAssets: (worker: ControlClient) => void;
  /** Called with each worker's link when its simulation is ready, before it ticks. */
  readonly onLink: (link: WorkerLink) => void;
  readonly onMessage: (message: WorkerMessage) => void;
  readonly onStatus: (status: SimulationStatus) => void;
  /** Measures the time limits on workers. */
  readonly clock: PageClock;
}
