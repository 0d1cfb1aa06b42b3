/** Answers and counts the page's control calls. They run at the end of a pass, between two ticks. */
import { transfer, type Endpoint } from 'comlink';
import { isDevelopment } from '../../shared/util/development.js';
import { CONTROL, WORKER_PHASE } from '../../shared/memory/layout.js';
import { answerClockPings, clockResolutionMs } from '../../shared/time/clock-sync.js';
import type {
  Pace,
  SimulationInfo,
  WorkerControl,
  WorkerOptions,
} from '../../shared/protocol/control-protocol.js';
import { type WorkerMemory, isPageUpdate } from '../../shared/protocol/transport.js';
import {
  SnapshotFormatError,
  isPartNotLoaded,
  libraryThrew,
  thrownError,
} from '../../shared/util/errors.js';
import * as LIMITS from '../../shared/util/limits.js';
import { requireInteger, requireNumber } from '../../shared/util/validate.js';
import { HeldAssets } from '../api/assets.js';
import { runQuery } from '../run/simulation-calls.js';
import { assemble, type AssemblyParts } from './assembly.js';
import type { PendingCalls } from './loop-sleep.js';
import type { SimulationLoop } from './loop.js';
import { SimulationThrew } from './loop-parts.js';

/** Counts the page's calls: it rings the doorbell for each, and the loop takes turns until they have arrived. */
export class PageCalls implements PendingCalls {
  arrived = 0;
  /** Calls that run and have no answer yet. */
  #open = 0;
  #mayRun: () => boolean = () => true;

  constructor(port: Endpoint) {
    port.addEventListener('message', (event) => {
      if (!isPageUpdate((event as MessageEvent<unknown>).data))
        this.arrived = (this.arrived + 1) | 0;
    });
  }

  get isBusy(): boolean {
    return this.#open > 0;
  }

  /** @param mayRun Called before each call from now on. A call that may not run is never answered. */
  askBefore(mayRun: () => boolean): void {
    this.#mayRun = mayRun;
  }

  /** The server as Comlink exposes it: with causes of errors, which Comlink itself does not send. */
  counted(server: WorkerControl): WorkerControl {
    const made = Object.entries(server).map(([name, call]) => [
      name,
      async (...args: readonly unknown[]): Promise<unknown> => {
        // A stop ends the worker, whatever it does, and a question whether it is there wakes no loop.
        if (name !== 'stop' && name !== 'ready' && !this.#mayRun()) return new Promise(() => {});
        this.#open += 1;
        try {
          return await (call as (...given: readonly unknown[]) => unknown)(...args);
        } catch (error) {
          throw thrownError(error);
        } finally {
          this.#open -= 1;
        }
      },
    ]);
    return Object.fromEntries(made) as WorkerControl;
  }
}

export interface ServerParts extends Pick<AssemblyParts, 'host' | 'simulation' | 'post'> {
  readonly calls: PageCalls;
}

function requirePace(pace: Pace): Pace {
  requireNumber('tickRateHz', pace.tickRateHz, ...LIMITS.tickRateHz);
  requireNumber('timeScale', pace.timeScale, ...LIMITS.timeScale);
  requireInteger('maxCatchUpTicks', pace.maxCatchUpTicks, ...LIMITS.maxCatchUpTicks);
  return pace;
}

/** Undefined outside of browsers. */
const scriptAddress = (): string | undefined =>
  (globalThis as { readonly location?: { readonly href: string } }).location?.href;

/** Creates the object that Comlink exposes. */
export function createControlServer(parts: ServerParts): WorkerControl {
  const { host, simulation, calls } = parts;
  /** Names of the commands, which a simulation may know only after its initialization. */
  const commands: string[] = [];
  const assets = new HeldAssets();
  let clockOffsetMs = 0;
  let loop: SimulationLoop | undefined;
  let isInitialized = false;
  const now = (): number => host.now() - clockOffsetMs;

  const current = (): SimulationLoop => {
    if (loop === undefined) throw new Error('the simulation has not been initialized');
    return loop;
  };

  const initialize = async (
    memory: WorkerMemory,
    options: WorkerOptions,
  ): Promise<SimulationInfo> => {
    if (isInitialized) throw new Error('the simulation has been initialized already');
    isInitialized = true;
    loop = await assemble({ ...parts, commands, assets, now }, memory, options);
    const { run, words } = loop.parts;
    calls.askBefore(() => !words.isStopRequested && current().interrupt());
    // The page already has this run: journaling the beginning of another one would be wrong.
    if (options.resumeFrom !== undefined) run.journal?.setOn(false);
    let stage: 'init' | 'tick' = 'init';
    try {
      await run.initialize();
      commands.push(...Object.keys(simulation.commands ?? {}));
      stage = 'tick';
      if (options.resumeFrom !== undefined) await loop.seeker.seek(options.resumeFrom, true);
    } catch (error) {
      // A build of the engine, for example.
      if (!isPartNotLoaded(error)) failedIn(stage, error);
      throw error;
    }
    return { commands, queries: Object.keys(simulation.queries ?? {}), canSave: run.canSave };
  };

  /** Logs and posts what the simulation threw. */
  const failedIn = (stage: 'init' | 'tick', error: unknown): void => {
    const { run, post } = current().parts;
    const tick = run.tick + 1;
    host.logError?.(`the simulation threw in ${stage === 'init' ? stage : `tick ${tick}`}:`, error);
    post({ type: 'betwixt:failure', stage, tick, ...thrownError(error) });
  };

  const start = (pace: Pace): void => {
    const started = current();
    const { words, run, post } = started.parts;
    void started
      .run(requirePace(pace))
      .then(() => {
        run.dispose();
        words.setPhase(WORKER_PHASE.stopped);
      })
      .catch((error: unknown) => {
        words.setPhase(WORKER_PHASE.failed);
        if (error instanceof SimulationThrew) return failedIn('tick', error.cause);
        const thrown = thrownError(error);
        const message = error instanceof SnapshotFormatError ? thrown.message : libraryThrew(error);
        post({ type: 'betwixt:failure', stage: 'protocol', tick: run.tick, ...thrown, message });
      });
  };

  return {
    initialize,
    addAssets: (added, newest) => assets.add(added, newest),
    start,
    follow: (pace) => current().follow(requirePace(pace)),
    query: async (name, args) => runQuery(current().parts.run, simulation.queries, name, args),
    alignClock: () => answerClockPings(current().parts.views, host.now),
    setClockOffset: (offsetMs) => {
      clockOffsetMs = offsetMs;
    },
    timeOrigin: () => host.timeOrigin,
    clockMs: () => host.now(),
    clockResolutionMs: () => clockResolutionMs(host.now),
    save: () => {
      const state = current().parts.run.save();
      return transfer(state, [state.bytes.buffer as ArrayBuffer]);
    },
    seek: async (request) => current().seeker.seek(request),
    closeReplay: () => current().seeker.closeReplay(),
    step: (ticks) => {
      requireInteger('ticks', ticks, 1, LIMITS.stepTicks);
      if (!current().parts.schedule.isPaused) {
        throw new Error('step needs a paused simulation: call pause() first');
      }
      return current().step(ticks);
    },
    stop: () => {
      // The page's own write reaches this memory only if it is shared.
      Atomics.store(current().parts.views.control, CONTROL.stopRequest, 1);
      current().stop();
    },
    ready: () => {
      loop?.parts.words.beat();
      return isDevelopment ? scriptAddress() : undefined;
    },
  };
}
