/** What the classes of the loop share: what it is given, and what it creates once. */
import type { WorkerMessage, WorkerOptions } from '../../shared/protocol/control-protocol.js';
import type { BufferViews } from '../../shared/memory/layout.js';
import { Schedule } from '../../shared/time/schedule.js';
import type { CreatePacer } from '../pacing/pacer.js';
import type { SimulationRun } from '../run/simulation-run.js';
import { HandSteps } from './hand-steps.js';
import type { LoopSleepParts } from './loop-sleep.js';
import { LoopWords } from './loop-words.js';
import { StatePublisher } from './state-publisher.js';
import { WorkerStatistics } from './statistics.js';
import type { TickInputQueue } from './tick-input-queue.js';
import { TickSource } from './tick-source.js';
import type { WorkerMirror } from './worker-mirror.js';

export interface LoopSetup extends LoopSleepParts {
  readonly views: BufferViews;
  readonly run: SimulationRun;
  /** Provides the page's inputs to the ticks. */
  readonly inputQueue: TickInputQueue;
  readonly options: WorkerOptions;
  readonly createPacer: CreatePacer;
  /** Posts to the page, after updating the memory that the message refers to. */
  readonly post: (message: WorkerMessage) => void;
  /** For memory that is not shared: sends the changes to the page. */
  readonly mirror: Pick<WorkerMirror, 'touch' | 'send'> | undefined;
}

export type LoopParts = ReturnType<typeof createLoopParts>;

export function createLoopParts(setup: LoopSetup) {
  const { views, run, inputQueue, options, createPacer, mirror } = setup;
  const schedule = new Schedule(options.tickRateHz);
  const pacer = createPacer(schedule);
  if (options.timeScale !== 1) pacer.setTimeScale(options.timeScale, 0);
  const statistics = new WorkerStatistics(views);
  return {
    ...setup,
    schedule,
    pacer,
    statistics,
    words: new LoopWords(views.control, mirror),
    tickSource: new TickSource(run, inputQueue, schedule, statistics),
    publisher: new StatePublisher({ views, run, schedule, statistics, mirror }),
    steps: new HandSteps(),
  };
}
