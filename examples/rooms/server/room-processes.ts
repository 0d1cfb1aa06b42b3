/** Starts the processes that run rooms, puts others in the place of those that end, and ends all. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RoomProcessMessage, RoomProcessSettings } from './room-process.js';

const SCRIPT = fileURLToPath(new URL('room-process.ts', import.meta.url));

/** How long a place stays empty, in ms: at first, and at most, if one process after another ends. */
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

interface RoomProcess extends RoomProcessMessage {
  /** Number in the operating system. */
  readonly pid: number;
  /** Resolves with the exit code when it has ended, for whatever reason. */
  readonly ended: Promise<number>;
  /** Ends it: its rooms finish their recordings. */
  stop(): Promise<void>;
}

export class RoomProcesses {
  readonly #settings: RoomProcessSettings;
  readonly #report: (line: string) => void;
  /** By place: undefined while there is none. */
  readonly #places: (RoomProcess | undefined)[] = [];
  readonly #ending = new AbortController();
  readonly #kept: Promise<void>[] = [];

  private constructor(settings: RoomProcessSettings, report: (line: string) => void) {
    this.#settings = settings;
    this.#report = report;
  }

  /**
   * @param report Receives a line when a process has ended, and when another one has taken its place.
   * @throws Error if one ends before it listens. It has printed why.
   */
  static async start(
    count: number,
    settings: RoomProcessSettings,
    report: (line: string) => void,
  ): Promise<RoomProcesses> {
    const processes = new RoomProcesses(settings, report);
    try {
      for (let place = 0; place < count; place++) {
        processes.#places[place] = await startRoomProcess(settings);
      }
    } catch (error) {
      await processes.stop();
      throw error;
    }
    for (let place = 0; place < count; place++) processes.#kept.push(processes.#keep(place));
    return processes;
  }

  get pids(): readonly number[] {
    return this.#running.map(({ pid }) => pid);
  }

  get #running(): RoomProcess[] {
    return this.#places.filter((one) => one !== undefined);
  }

  /**
   * The ports of the processes that may answer, the best first: the one that has the room that a path names, then the one that
   * the path asks for, then all others, because any of them finds all rooms.
   *
   *     /rooms/PLACE/PROCESS/ROOM      a connection
   *     /rooms/PLACE/matchmake/…       a question
   */
  portsFor(path: string): readonly number[] {
    const [, , place, processId] = path.split('/', 4);
    const asked = this.#places[Number(place)];
    const rank = (one: RoomProcess): number =>
      one.processId === processId ? 0 : one === asked ? 1 : 2;
    return this.#running.toSorted((a, b) => rank(a) - rank(b)).map(({ port }) => port);
  }

  /** Ends all, and starts no more. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await Promise.all([...this.#running.map((one) => one.stop()), ...this.#kept]);
  }

  /** Whenever the process of a place ends, another one takes it. */
  async #keep(place: number): Promise<void> {
    const { signal } = this.#ending;
    let pauseMs = MIN_PAUSE_MS;
    for (;;) {
      const one = this.#places[place];
      if (one !== undefined) {
        const startMs = performance.now();
        const code = await one.ended;
        this.#places[place] = undefined;
        if (signal.aborted) return;
        this.#report(`the process ${one.pid} of rooms has ended, with code ${code}`);
        if (performance.now() - startMs > MAX_PAUSE_MS) pauseMs = MIN_PAUSE_MS;
      }
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
      // Tried again if it fails: it has printed why.
      const next = await startRoomProcess(this.#settings).catch(() => undefined);
      if (signal.aborted) {
        await next?.stop();
        return;
      }
      this.#places[place] = next;
      if (next !== undefined) this.#report(`the process ${next.pid} takes new rooms in its place`);
    }
  }
}

async function startRoomProcess(settings: RoomProcessSettings): Promise<RoomProcess> {
  const child = fork(SCRIPT, [JSON.stringify(settings)]);
  const ended = once(child, 'exit').then(([code]) => (code as number | null) ?? 1);
  const started = await Promise.race([messageOf(child), ended]);
  if (typeof started === 'number') throw new Error('the process of the rooms did not start');
  return {
    ...started,
    pid: child.pid ?? 0,
    ended,
    async stop() {
      // The child ends when its parent leaves.
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

async function messageOf(child: ChildProcess): Promise<RoomProcessMessage> {
  const [message] = (await once(child, 'message')) as [RoomProcessMessage];
  return message;
}
