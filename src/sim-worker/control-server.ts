/** Answers the page's control calls. Each runs in a turn of the event loop, that is between two ticks. */
import { answerClockPings } from '../shared/clock-sync.js';
import type { CommandMap, WorkerControl, WorkerOptions } from '../shared/control-protocol.js';
import { openBuffer } from '../shared/buffer.js';
import { CONTROL, WORKER_PHASE, type BufferViews } from '../shared/layout.js';
import { requireInteger, requireNumber } from '../shared/validate.js';
import { LIMITS } from '../shared/limits.js';
import { BodyRegistry } from './body-registry.js';
import type { WorkerHost } from './host.js';
import { SimulationLoop } from './loop.js';
import type { Simulation } from './simulation.js';

interface Running {
  readonly views: BufferViews;
  readonly loop: SimulationLoop;
}

export interface ControlServerParts {
  readonly host: WorkerHost;
  readonly simulation: Simulation;
  readonly messagesReceived: () => number;
  /** Tells the page that a tick threw. */
  readonly onFailure: (error: unknown, tick: number) => void;
}

/** Makes the object that Comlink exposes. */
export function createControlServer(parts: ControlServerParts): WorkerControl {
  const { host, simulation } = parts;
  const commands: CommandMap = simulation.commands ?? {};
  let clockOffsetMs = 0;
  let running: Running | undefined;
  const now = (): number => host.now() - clockOffsetMs;

  const current = (): Running => {
    if (running === undefined) throw new Error('the simulation has not been initialized');
    return running;
  };

  const initialize = async (
    buffer: ArrayBufferLike,
    options: WorkerOptions,
  ): Promise<readonly string[]> => {
    if (running !== undefined) throw new Error('the simulation has been initialized already');
    const views = openBuffer(buffer);
    const bodies = new BodyRegistry(views.layout.capacity);
    const loop = new SimulationLoop({
      views,
      bodies,
      simulation,
      options,
      now,
      turn: host.createTurn(),
      messagesReceived: parts.messagesReceived,
    });
    running = { views, loop };
    await simulation.init({
      bodies,
      capacity: bodies.capacity,
      get stepS() {
        return loop.schedule.stepS;
      },
      restart: () => loop.restart(),
    });
    return Object.keys(commands);
  };

  const start = (): void => {
    const { views, loop } = current();
    const setPhase = (phase: number): void => {
      Atomics.store(views.control, CONTROL.phase, phase);
    };
    void loop
      .run()
      .then(() => {
        simulation.dispose?.();
        setPhase(WORKER_PHASE.stopped);
      })
      .catch((error: unknown) => {
        setPhase(WORKER_PHASE.failed);
        parts.onFailure(error, loop.tick + 1);
      });
  };

  const command = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (run === undefined) {
      const known = Object.keys(commands).join(', ') || 'none';
      throw new RangeError(`the simulation has no command "${name}"; it has ${known}`);
    }
    return run.apply(commands, args as never[]);
  };

  return {
    initialize,
    start,
    command,
    alignClock: () => answerClockPings(current().views, host.now),
    setClockOffset: (offsetMs) => {
      clockOffsetMs = offsetMs;
    },
    timeOrigin: () => host.timeOrigin,
    pause: () => current().loop.pause(),
    resume: () => current().loop.resume(),
    step: (ticks) => {
      const { loop } = current();
      requireInteger('ticks', ticks, 1, LIMITS.stepTicks);
      if (!loop.schedule.isPaused) {
        throw new Error('step needs a paused simulation: call pause() first');
      }
      return loop.step(ticks);
    },
    setTickRate: (tickRateHz) =>
      current().loop.setTickRate(requireNumber('tickRateHz', tickRateHz, ...LIMITS.tickRateHz)),
    setTimeScale: (timeScale) =>
      current().loop.setTimeScale(requireNumber('timeScale', timeScale, ...LIMITS.timeScale)),
    setMaxCatchUpTicks: (ticks) =>
      current().loop.setMaxCatchUpTicks(
        requireInteger('maxCatchUpTicks', ticks, ...LIMITS.maxCatchUpTicks),
      ),
    stop: () => current().loop.stop(),
  };
}
