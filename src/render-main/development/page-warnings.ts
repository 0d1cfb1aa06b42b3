/** Warnings of mistakes that would otherwise only show as something that does not happen. Loaded only in development. */
import { wrap } from 'comlink';
import { BUILT_IN_NAMES } from '../../shared/events/event-record.js';
import type { WorkerControl } from '../../shared/protocol/control-protocol.js';
import { latestFrames, warnOnce } from '../../shared/util/development.js';
import type { WorkerLike } from '../api/create-worker.js';
import type { SimulationHandle } from '../api/simulation-handle.js';
import type { Session } from '../session/session.js';
import { later } from '../util/later.js';
import { openPort } from '../worker/control-client.js';
import { followScript, hasNewCode } from './hot-swap.js';

/** After this time, a worker that has not answered may never do so, in ms. A development server may take some seconds to build it. */
const SILENCE_MS = 10_000;

interface Watched {
  lastSampleMs: number | undefined;
  isDisposed: boolean;
}

/** The simulations of this page, first to last. */
const watched = new Set<Watched>();

/**
 * Asks a worker for an answer that does not wait for `init`, through a second port: the first one is in use.
 *
 * @param opening Ends when the simulation is open, or is not.
 */
export function warnOfSilence(worker: WorkerLike, opening: Promise<void>): void {
  const port = openPort(worker);
  let isOver = false;
  const end = (): void => {
    isOver = true;
    port.close();
  };
  opening.then(end, (error: unknown) => {
    end();
    warnOfPageParts(error);
  });
  wrap<WorkerControl>(port).ready().then(end, end);
  later(() => {
    if (isOver) return;
    warnOnce(
      'silence',
      `the worker has not answered for ${SILENCE_MS / 1000} s. Does its script call runSimulation while it is first ` +
        'evaluated, and not after an await? If it does, it is still loading, or busy in init: a development server that ' +
        'bundles new packages first reloads the page then',
    );
  }, SILENCE_MS);
}

/** The error for globals that a worker does not have. */
const ONLY_ON_PAGES = /^(document|window|localStorage|sessionStorage|alert|Image) is not defined$/;

function warnOfPageParts(error: unknown): void {
  const { cause } = Object(error) as { readonly cause?: unknown };
  const name = cause instanceof Error ? ONLY_ON_PAGES.exec(cause.message)?.[1] : undefined;
  if (name === undefined) return;
  warnOnce(
    `page part ${name}`,
    `a worker, in which the simulation runs, has no ${name}: use it on the page, and pass what the simulation needs as ` +
      'the option setup, or with a command',
  );
}

/** Watches a simulation that was just opened. */
export function watchForMistakes(session: Session, handle: SimulationHandle): void {
  watchRewinding(session);
  watchSamples(session, handle);
  watchForWorld(session, handle);
  watchEvents(session, handle);
  session.run.hasNewCode = () => hasNewCode(session);
  watchFailures(session);
  void followScript(session, handle);
}

function watchRewinding({ options, worker }: Session): void {
  if (options.recording.rewindSeconds === 0 || worker.connection.info.canSave) return;
  warnOnce(
    'rewinding',
    'the option recording.rewindSeconds has no effect, because the simulation has no save and restore: every seek runs ' +
      'all ticks from the start. Add both to the simulation, or remove the option',
  );
}

/** The queries of a script that calls `runWorld`. */
const OF_WORLDS = ['describe', 'systems', 'findUnmet'];

/** A world needs the page that makes it, which begins with asking for its assets. */
function watchForWorld({ worker }: Session, handle: SimulationHandle): void {
  const { queries } = worker.connection.info;
  if (!OF_WORLDS.every((name) => queries.includes(name))) return;
  const { openAssets } = handle;
  let isMade = false;
  handle.openAssets = () => {
    isMade = true;
    return openAssets();
  };
  later(() => {
    if (isMade) return;
    warnOnce(
      'world',
      'the worker script calls runWorld, and its world stays empty: let createWorld({ createWorker }) of betwixt/world ' +
        'connect to it, and not connect',
    );
  });
}

function watchSamples({ pauses }: Session, handle: SimulationHandle): void {
  const { sample, dispose, latest } = handle;
  latestFrames.add(latest);
  const own: Watched = { lastSampleMs: undefined, isDisposed: false };
  const earlier = [...watched];
  watched.add(own);
  const stamps = new StampWatch();
  const warnOfNone = (): void => {
    if (own.isDisposed || own.lastSampleMs !== undefined) return;
    if (pauses.isPaused || document.hidden) {
      later(warnOfNone);
      return;
    }
    warnOnce(
      'no samples',
      'a simulation runs, and nothing samples it, so nothing moves and no event comes: call sample(stamp) of the simulation, ' +
        'or of its world, in each frame',
    );
  };
  // Without a page, there may be nothing to draw.
  if (typeof document !== 'undefined') later(warnOfNone);
  handle.sample = (frameMs) => {
    const frame = sample(frameMs);
    const nowMs = performance.now();
    if (stamps.isWrong(frameMs, nowMs)) {
      warnOnce(
        'stamps',
        `sample(${frameMs}) is not the page's time, which is ${Math.round(nowMs)} ms: pass the timestamp of ` +
          'requestAnimationFrame, in ms, and neither seconds nor the time of another clock',
      );
    }
    if (own.lastSampleMs === undefined) later(() => warnOfForgotten(earlier, nowMs));
    own.lastSampleMs = nowMs;
    return frame;
  };
  handle.dispose = () => {
    own.isDisposed = true;
    watched.delete(own);
    return dispose();
  };
}

/** A page that reloads a module connects again, and forgets the first simulation, which keeps running. */
function warnOfForgotten(earlier: readonly Watched[], sinceMs: number): void {
  const isForgotten = ({ isDisposed, lastSampleMs }: Watched): boolean =>
    !isDisposed && lastSampleMs !== undefined && lastSampleMs < sinceMs;
  if (!earlier.some(isForgotten)) return;
  warnOnce(
    'forgotten',
    'an earlier simulation still runs in its worker, and is no longer sampled: call its dispose(). With hot reload: ' +
      'import.meta.hot?.dispose(() => sim.dispose())',
  );
}

function watchEvents({ frames: { events } }: Session, handle: SimulationHandle): void {
  const { on } = handle;
  const handled = new Set<string>(BUILT_IN_NAMES);
  const unhandled = new Set<string>();
  handle.on = (name: string, ...rest: unknown[]) => {
    handled.add(name);
    return (on as (...given: unknown[]) => () => void)(name, ...rest);
  };
  events.onUnhandled = (name) => {
    if (handled.has(name) || unhandled.has(name)) return;
    unhandled.add(name);
    later(() => {
      if (handled.has(name)) return;
      warnOnce(
        `event ${name}`,
        `the simulation emits "${name}", and the page has no handler for it: add sim.on('${name}', …), or do not emit it`,
      );
    });
  };
}

function watchFailures({ statuses }: Session): void {
  const { emit } = statuses;
  statuses.emit = (status) => {
    if (status.kind === 'failed') warnOfPageParts(status.error);
    emit.call(statuses, status);
  };
}

/** Frames in a row that leave no doubt. */
const CERTAIN_FRAMES = 10;

/** No page draws as many views of one frame: the stamp never changes. */
const MAX_VIEWS = 100;

/** A stamp that differs by more from the page's time is of another clock or unit, in ms. */
const MAX_DIFFERENCE_MS = 10_000;

/** No display shows two frames within this time, in ms; in seconds, all frames are that close. */
const MIN_FRAME_MS = 1;

const MS_PER_SECOND = 1000;

/**
 * Judges whether the stamps that a page gives to `sample` are the page's time in ms. Counts frames, because a single one
 * proves nothing: a callback may be late by the time that is spent at a breakpoint.
 */
export class StampWatch {
  #stamp = Number.NaN;
  #nowMs = Number.NaN;
  /** Calls in a row with this stamp. */
  #views = 0;
  /** Frames in a row that were far from the page's time. */
  #farFrames = 0;
  /** Frames in a row that were closer than frames in ms can be, and by how much stamps and page advanced in them. */
  #closeFrames = 0;
  #closeStamps = 0;
  #closeMs = 0;
  /** Frames whose stamps were before the last one, and so small as only seconds since the last frame are. */
  #backFrames = 0;

  /**
   * Notes a call of `sample`.
   *
   * @param stamp What it was given.
   * @param nowMs The page's time, in ms.
   * @returns Whether the stamps are certainly wrong.
   */
  isWrong(stamp: number, nowMs: number): boolean {
    const isFar = Math.abs(stamp - nowMs) > MAX_DIFFERENCE_MS;
    if (stamp === this.#stamp) this.#views += 1;
    else this.#noteFrame(stamp, nowMs, isFar);
    return (
      Math.max(this.#farFrames, this.#backFrames) >= CERTAIN_FRAMES ||
      (isFar && this.#views > MAX_VIEWS) ||
      this.#areSeconds
    );
  }

  #noteFrame(stamp: number, nowMs: number, isFar: boolean): void {
    this.#views = 1;
    this.#farFrames = isFar ? this.#farFrames + 1 : 0;
    const advance = stamp - this.#stamp;
    if (advance < 0 && stamp < MIN_FRAME_MS) this.#backFrames += 1;
    if (advance > 0 && advance < MIN_FRAME_MS) {
      this.#closeFrames += 1;
      this.#closeStamps += advance;
      this.#closeMs += nowMs - this.#nowMs;
    } else {
      this.#closeFrames = 0;
      this.#closeStamps = 0;
      this.#closeMs = 0;
    }
    this.#stamp = stamp;
    this.#nowMs = nowMs;
  }

  /** Whether the stamps advance as the page's time does in seconds; its origin does not matter. */
  get #areSeconds(): boolean {
    if (this.#closeFrames < CERTAIN_FRAMES) return false;
    const ratio = (this.#closeStamps * MS_PER_SECOND) / this.#closeMs;
    return ratio > 0.5 && ratio < 2;
  }
}
