/** A simulation on the page: its worker, its run and its frames, three parts that do not know each other. */
import type { WorkerMessage, WorkerNotice } from '../../shared/protocol/control-protocol.js';
import type { ResolvedOptions } from '../api/connect-options.js';
import type { CreateWorker } from '../api/create-worker.js';
import { type SimulationStatus, StatusHandlers } from './simulation-status.js';
import { CommandCalls } from '../traffic/command-calls.js';
import { InputSender } from '../traffic/input-sender.js';
import { PAGE_CLOCK, type PageClock } from '../worker/time-limits.js';
import { WorkerSupervisor } from '../worker/worker-supervisor.js';
import { SessionFrames } from './session-frames.js';
import { PageAssets } from './page-assets.js';
import { Pauses } from './pauses.js';
import { SessionRun } from './session-run.js';

export class Session {
  readonly options: ResolvedOptions;
  readonly statuses = new StatusHandlers();
  readonly assets: PageAssets;
  readonly inputs: InputSender;
  readonly calls: CommandCalls;
  readonly worker: WorkerSupervisor;
  readonly pauses: Pauses;
  readonly run: SessionRun;
  readonly frames: SessionFrames;

  constructor(createWorker: CreateWorker, options: ResolvedOptions, clock: PageClock = PAGE_CLOCK) {
    this.options = options;
    this.assets = new PageAssets(options.isRecorded, () => this.worker.connection.client);
    this.inputs = new InputSender(this.assets.send);
    this.calls = new CommandCalls(this.inputs, this.assets);
    this.frames = new SessionFrames(options, this.statuses);
    this.worker = new WorkerSupervisor({
      createWorker,
      options,
      failureAt: (error) => this.run.failureAt(error, this.frames.drainEvents),
      inputs: this.inputs,
      calls: this.calls,
      sendAssets: this.assets.send,
      onConnection: (connection) => {
        this.run.follow(connection);
        this.frames.follow(connection);
      },
      onMessage: (message) => this.#onMessage(message),
      onStatus: (status) => this.#onStatus(status),
      clock,
    });
    this.pauses = new Pauses(this.worker, () => this.frames.sampler.interrupt());
    const { worker, pauses, inputs, assets, statuses } = this;
    const { deliverAll } = this.frames;
    this.run = new SessionRun({ options, worker, pauses, inputs, assets, statuses, deliverAll });
    if (options.startPaused) this.pauses.notePaused();
  }

  #onMessage(message: WorkerMessage): void {
    switch (message.type) {
      case 'betwixt:journal':
        return this.run.addJournal(message.items);
      case 'betwixt:bodies':
        return this.frames.bodies.receive(message);
      case 'betwixt:replies':
        return message.replies.forEach((reply) => this.calls.onReply(reply));
      case 'betwixt:events':
        return this.frames.drainEvents();
      case 'betwixt:notice':
        return this.#onNotice(message.notice);
      case 'betwixt:replay-report':
        return this.run.noteReport(message.report);
      case 'betwixt:replay-state':
        return this.run.compareReplayed(message);
      case 'betwixt:replay-stopped':
        return this.run.stopReplay(message.thrown);
      default:
    }
  }

  #onNotice(notice: WorkerNotice): void {
    if (notice.kind === 'replayed') return this.run.endShown(notice.report);
    if (notice.kind === 'invalid-pose' && notice.policy === 'stop') this.pauses.notePaused();
    // The machine slept or the page was frozen: the clocks may have drifted apart.
    if (notice.kind === 'gap') this.worker.alignClock().catch(() => {});
    this.statuses.emit(notice);
  }

  #onStatus(status: SimulationStatus): void {
    const { statuses, run, frames } = this;
    if (status.kind === 'failed') {
      // The worker posts no message about the events of a pass that does not end.
      frames.drainEvents();
      run.close(status.error);
    }
    const error = status.kind === 'restarted' ? run.endFailure() : undefined;
    statuses.emit(status);
    if (status.kind !== 'restarted') return;
    if (error !== undefined) statuses.emit({ kind: 'replay-stopped', error });
    // The worker has pushed the end of all pairs, maybe before the page could ask for a message.
    frames.drainEvents();
  }
}
