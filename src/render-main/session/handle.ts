/** The handle that `connect` resolves with: validates arguments and forwards the calls. */
import type {
  CommandMap,
  RemoteCommands,
  SimulationInfo,
} from '../../shared/protocol/control-protocol.js';
import type { EventMap } from '../../shared/events/simulation-event.js';
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { Json } from '../../shared/util/json.js';
import { SimulationDisposedError } from '../../shared/util/errors.js';
import {
  requireChoice,
  requireInteger,
  requireNumber,
  requireKnownKeys,
} from '../../shared/util/validate.js';
import { SLOT_HEADER } from '../../shared/memory/layout.js';
import { untilAborted } from '../api/call-options.js';
import { INTERPOLATION_MODES } from '../api/connect-options.js';
import type {
  BatchedHandle,
  EventHandlerOptions,
  SimulationHandle,
} from '../api/simulation-handle.js';
import type {
  CountedHandle,
  SimulationState,
  SimulationStatistics,
} from '../api/simulation-statistics.js';
import type { Session } from './session.js';
import { WorkerCounters, describeStatus } from './worker-counters.js';
import type { StatusHandler } from './simulation-status.js';
import { replaceWorker } from './worker-handover.js';
import * as LIMITS from '../../shared/util/limits.js';

export function createHandle<
  C extends CommandMap,
  E extends EventMap,
  Q extends CommandMap,
  T extends Json = Json,
>(
  session: Session,
  onDispose: () => void = () => {},
): SimulationHandle<C, E, Q, T> & CountedHandle & BatchedHandle {
  const { worker, run, frames, pauses, statuses } = session;
  const openCounters = (): WorkerCounters => new WorkerCounters(() => worker.connection.views);
  const counters = openCounters();
  let disposal: Promise<void> | undefined;

  const state = (): SimulationState => {
    if (disposal !== undefined) return 'disposed';
    if (worker.ended !== undefined) return 'failed';
    if (worker.isRestarting) return 'restarting';
    if (worker.liveness.isStalled) return 'stalled';
    return pauses.isPaused ? 'paused' : 'running';
  };

  const functionsOf = (info: SimulationInfo) => ({
    info,
    commands: byName<RemoteCommands<C>>(info.commands, async (name, args) => {
      worker.requireRunning();
      return session.calls.call(name, worker.connection.info.commands.indexOf(name), args);
    }),
    queries: byName<RemoteCommands<Q>>(info.queries, (name, args) => {
      // The run that it begins may be built from them.
      session.assets.send();
      return worker.call((remote) => remote.query(name, args));
    }),
  });
  let own = functionsOf(worker.connection.info);
  /** Another worker's script may have others. */
  const functions = (): typeof own => {
    const { info } = worker.connection;
    if (own.info !== info) own = functionsOf(info);
    return own;
  };

  const stop = (): Promise<void> => {
    const reason = new SimulationDisposedError(
      'the simulation was disposed before the call was answered',
    );
    onDispose();
    run.close(reason);
    return worker.close(reason);
  };

  return {
    get commands() {
      return functions().commands;
    },
    get queries() {
      return functions().queries;
    },
    applyBatch(write) {
      return worker.ended === undefined
        ? session.calls.applyBatch(write)
        : Promise.reject(worker.ended);
    },
    get isMoving() {
      return run.queue.isMoving || worker.isRestarting || frames.bodies.hasJump;
    },
    get state() {
      return state();
    },
    get transport() {
      return worker.connection.transport;
    },
    inputs: session.inputs,
    openAssets: async () => session.assets,
    get interpolation() {
      return frames.sampler.timeline.mode;
    },
    setInterpolation(mode) {
      frames.sampler.timeline.mode = requireChoice('interpolation', mode, INTERPOLATION_MODES);
    },
    sample: (frameMs) =>
      frames.sample(
        requireNumber(
          'frameMs, the timestamp of requestAnimationFrame,',
          frameMs,
          0,
          Number.MAX_VALUE,
        ),
      ),
    get latest() {
      return frames.sampler.latest;
    },
    get lastAnimationErrorMs() {
      return frames.sampler.statistics.lastErrorMs;
    },
    bodies: frames.bodies.map as ReadonlyMap<BodyId, Json> as ReadonlyMap<BodyId, T>,
    pose: (id, out) => frames.sampler.frame.pose(id, out),
    on(name: string, handler: (event: never) => void, given?: EventHandlerOptions) {
      if (name !== 'status') return frames.on(name, handler, given);
      requireKnownKeys("on('status')", given ?? {}, []);
      return statuses.add(handler as StatusHandler);
    },
    pause: (options) => untilAborted(options, () => pauses.pauseFor('user')),
    resume: (options) =>
      untilAborted(options, () => {
        run.requireMore();
        return pauses.resumeFrom('user');
      }),
    async step(ticks = 1, options) {
      requireInteger('ticks', ticks, 1, LIMITS.stepTicks);
      return run.queue.add(options, () => worker.call((remote) => remote.step(ticks)));
    },
    get tickRateHz() {
      return run.tickRateHz;
    },
    async setTickRate(tickRateHz, options) {
      requireNumber('tickRateHz', tickRateHz, ...LIMITS.tickRateHz);
      return untilAborted(options, () => worker.setPace({ tickRateHz }));
    },
    get timeScale() {
      return worker.connection.status.read()[SLOT_HEADER.timeScale] || session.options.timeScale;
    },
    async setTimeScale(timeScale, options) {
      requireNumber('timeScale', timeScale, ...LIMITS.timeScale);
      return untilAborted(options, () => worker.setPace({ timeScale }));
    },
    get maxCatchUpTicks() {
      return worker.pace.maxCatchUpTicks;
    },
    async setMaxCatchUpTicks(maxCatchUpTicks, options) {
      requireInteger('maxCatchUpTicks', maxCatchUpTicks, ...LIMITS.maxCatchUpTicks);
      return untilAborted(options, () => worker.setPace({ maxCatchUpTicks }));
    },
    get canSave() {
      return worker.connection.info.canSave;
    },
    save: (options) => run.queue.add(options, () => worker.call((remote) => remote.save())),
    restore: (saved, options) => run.restore(saved, options),
    recording: () => run.recording(),
    get rewindRange() {
      return run.range;
    },
    seek: (tick, options) => run.seek(tick, options),
    openReplay: (recording, options) => run.openReplay(recording, options),
    get replay() {
      return run.replay;
    },
    replaceWorker: (createWorker, options) => replaceWorker(session, createWorker, options),
    stats: () => statisticsOf(session, state(), counters),
    resetStats() {
      counters.reset();
      frames.sampler.statistics.reset();
    },
    openCounters() {
      const opened = openCounters();
      opened.reset();
      return opened;
    },
    dispose() {
      if (disposal === undefined) {
        // Before the handlers run: a handler that disposes it again finds it disposed.
        disposal = stop();
        statuses.emit({ kind: 'disposed' });
      }
      return disposal;
    },
  };
}

/** Assembles `stats()`. */
function statisticsOf(
  session: Session,
  state: SimulationState,
  counters: WorkerCounters,
): SimulationStatistics {
  const { inputs, run, frames } = session;
  const { sampler, events } = frames;
  const { recorder } = run;
  const { connection } = session.worker;
  // Read once, so that all of it belongs to one tick.
  const status = connection.status.read();
  const { alpha, delayMs, marginMs } = sampler.frame;
  return {
    alpha,
    delayMs,
    marginMs,
    state,
    transport: connection.transport.kind,
    interpolation: sampler.timeline.mode,
    bodyCapacity: connection.views.layout.capacity,
    clock: connection.clock,
    lastAnimationErrorMs: sampler.statistics.lastErrorMs,
    refusedInputs: inputs.refused,
    lostEvents: events.lost,
    droppedEvents: events.dropped,
    recordingBytes: recorder.bytes,
    keptBytes: recorder.kept.at(-1)?.bytes ?? 0,
    keptEveryTicks: recorder.kept.at(-1)?.everyTicks ?? 0,
    isRecordingFull: recorder.fullAt !== undefined,
    ...describeStatus(status, performance.now()),
    tick: run.tick(status),
    ...counters.read(),
    load: counters.load(sampler.statistics.sampledMs),
    ...sampler.statistics.summary(),
  };
}

function byName<Functions>(
  names: readonly string[],
  call: (name: string, args: readonly unknown[]) => Promise<unknown>,
): Functions {
  const functions = names.map((name) => [name, (...args: unknown[]) => call(name, args)]);
  return Object.freeze(Object.fromEntries(functions)) as Functions;
}
