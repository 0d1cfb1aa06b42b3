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
import * as LIMITS from '../../shared/util/limits.js';
import { requireChoice, requireInteger, requireNumber } from '../../shared/util/validate.js';
import type { CallOptions } from '../api/call-options.js';
import { INTERPOLATION_MODES } from '../api/check-options.js';
import type { SimulationHandle } from '../api/simulation-handle.js';
import type { SimulationState } from '../api/simulation-statistics.js';
import { requireCallOptions, untilAborted } from '../queues/call-signal.js';
import { RunControl } from './run-control.js';
import type { Session } from './session.js';
import { WorkerCounters, summarize } from './statistics.js';

export function createHandle<
  C extends CommandMap,
  E extends EventMap,
  Q extends CommandMap,
  T extends Json = Json,
>(session: Session, onDispose: () => void = () => {}): SimulationHandle<C, E, Q, T> {
  const { supervisor, pauses } = session;
  const runs = new RunControl(session);
  const openCounters = (): WorkerCounters => new WorkerCounters(() => session.link.views);
  const counters = openCounters();
  let disposal: Promise<void> | undefined;

  const state = (): SimulationState => {
    if (disposal !== undefined) return 'disposed';
    if (supervisor.ended !== undefined) return 'failed';
    if (supervisor.isRestarting) return 'restarting';
    if (supervisor.liveness.isStalled) return 'stalled';
    return pauses.isPaused ? 'paused' : 'running';
  };

  const commands = (options?: CallOptions): RemoteCommands<C> =>
    byName(session.link.info.commands, (name, args) =>
      untilAborted(options, () => {
        supervisor.requireRunning();
        return session.calls.call(name, session.link.info.commands.indexOf(name), args);
      }),
    );

  const queries = (options?: CallOptions): RemoteCommands<Q> =>
    byName(session.link.info.queries, (name, args) =>
      untilAborted(options, () => supervisor.call((remote) => remote.query(name, args))),
    );

  const functionsOf = (info: SimulationInfo) => ({
    info,
    commands: commands(),
    queries: queries(),
  });
  let own = functionsOf(session.link.info);
  /** Another worker's script may have others. */
  const functions = (): typeof own => {
    const { info } = session.link;
    if (own.info !== info) own = functionsOf(info);
    return own;
  };

  const stop = (): Promise<void> => {
    const reason = new SimulationDisposedError(
      'the simulation was disposed before the call was answered',
    );
    onDispose();
    session.position.shown?.leave(reason);
    return supervisor.close(reason);
  };

  return {
    get commands() {
      return functions().commands;
    },
    get queries() {
      return functions().queries;
    },
    commandsWith(options) {
      requireCallOptions(options);
      return commands(options);
    },
    queriesWith(options) {
      requireCallOptions(options);
      return queries(options);
    },
    get state() {
      return state();
    },
    get transport() {
      return session.link.transport;
    },
    inputs: session.inputs,
    openAssets: async () => session.assets,
    get interpolation() {
      return session.sampler.timeline.mode;
    },
    setInterpolation(mode) {
      session.sampler.timeline.mode = requireChoice('interpolation', mode, INTERPOLATION_MODES);
    },
    sample: (frameMs) =>
      session.sample(
        requireNumber(
          'frameMs, the timestamp of requestAnimationFrame,',
          frameMs,
          0,
          Number.MAX_VALUE,
        ),
      ),
    get latest() {
      return session.sampler.latest;
    },
    get lastAnimationErrorMs() {
      return session.sampler.statistics.lastErrorMs;
    },
    bodies: session.bodies.map as ReadonlyMap<BodyId, Json> as ReadonlyMap<BodyId, T>,
    pose: (id, out) => session.sampler.frame.pose(id, out),
    on: (name, handler, options) => session.on(name, handler as (event: never) => void, options),
    pause: (options) => untilAborted(options, () => pauses.pauseFor('user')),
    resume: (options) =>
      untilAborted(options, () => {
        runs.requireMore();
        return pauses.resumeFrom('user');
      }),
    async step(ticks = 1, options) {
      requireInteger('ticks', ticks, 1, LIMITS.stepTicks);
      return session.turns.take(options, () => supervisor.call((remote) => remote.step(ticks)));
    },
    get tickRateHz() {
      return session.tickRateHz;
    },
    async setTickRate(tickRateHz, options) {
      requireNumber('tickRateHz', tickRateHz, ...LIMITS.tickRateHz);
      return untilAborted(options, () => supervisor.setPace({ tickRateHz }));
    },
    get timeScale() {
      return session.timeScale;
    },
    async setTimeScale(timeScale, options) {
      requireNumber('timeScale', timeScale, ...LIMITS.timeScale);
      return untilAborted(options, () => supervisor.setPace({ timeScale }));
    },
    get maxCatchUpTicks() {
      return supervisor.pace.maxCatchUpTicks;
    },
    async setMaxCatchUpTicks(maxCatchUpTicks, options) {
      requireInteger('maxCatchUpTicks', maxCatchUpTicks, ...LIMITS.maxCatchUpTicks);
      return untilAborted(options, () => supervisor.setPace({ maxCatchUpTicks }));
    },
    get canSave() {
      return session.link.info.canSave;
    },
    save: (options) =>
      session.turns.take(options, () => supervisor.call((remote) => remote.save())),
    restore: (saved, options) => runs.restore(saved, options),
    recording: () => runs.recording(),
    get rewindRange() {
      return runs.range;
    },
    seek: (tick, options) => runs.seek(tick, options),
    openReplay: (recording, options) => runs.openReplay(recording, options),
    get replay() {
      return runs.replay;
    },
    replaceWorker: (createWorker, options) => runs.replaceWorker(createWorker, options),
    stats: () => summarize(session, state(), counters),
    resetStats() {
      counters.reset();
      session.sampler.statistics.reset();
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
        session.statuses.emit({ kind: 'disposed' });
      }
      return disposal;
    },
  };
}

function byName<Functions>(
  names: readonly string[],
  call: (name: string, args: readonly unknown[]) => Promise<unknown>,
): Functions {
  const functions = names.map((name) => [name, (...args: unknown[]) => call(name, args)]);
  return Object.freeze(Object.fromEntries(functions)) as Functions;
}
