/** Executes the operations of a walk in sequence, and has the model follow the calls. */
import type { CallOptions, Replay } from '../../../src/render-main/index.js';
import type { Recording, SavedState } from '../../../src/shared/index.js';
import type { TrackedCall, WalkModel } from './model.js';
import { TRAVELS, type Operation, type Walk } from './operations.js';
import type { CountingHandle, World } from './world.js';

const RATES = [1, 20, 60, 240, 1000];
const SCALES = [0.01, 0.5, 1, 7, 100];
/** On the clock that measures options on workers: a check, a stall, a worker that is given up. */
const PASSING_MS = [100, 2500, 7000];
/** Calls that wait for another event, such as a resume, are not waited for longer. */
const MAX_WAIT_MS = 200;

/** The settings, by their names in the statistics. */
type Setting = 'tickRateHz' | 'timeScale';

export class Walker {
  /** Calls that change a setting, in order. */
  readonly settings: {
    readonly name: Setting;
    readonly value: number;
    readonly call: TrackedCall;
  }[] = [];
  readonly #walk: Walk;
  readonly #world: World;
  readonly #model: WalkModel;
  readonly #handle: CountingHandle;
  readonly #recordings: Recording[] = [];
  readonly #states: SavedState[] = [];
  /** All that were opened: most of them are no longer shown. */
  readonly #replays: Replay[] = [];
  readonly #offs: (() => void)[] = [];
  #lastId = 0;

  constructor(walk: Walk, world: World, model: WalkModel) {
    this.#walk = walk;
    this.#world = world;
    this.#model = model;
    this.#handle = world.handle;
  }

  /** Executes one, and waits as it says. */
  async take(operation: Operation): Promise<void> {
    const call = this.#begin(operation);
    await this.#wait(operation, call?.settled);
  }

  /** Undefined if nothing is recorded. */
  recording(): Recording | undefined {
    const { recording } = this.#walk.options;
    try {
      return this.#handle.recording();
    } catch (error) {
      if (recording !== false) throw error;
      return undefined;
    }
  }

  async #wait({ wait, n }: Operation, settled: Promise<void> | undefined): Promise<void> {
    if (wait === 'turns') {
      for (let turn = 0; turn < n % 7; turn++)
        await new Promise((resolve) => setImmediate(resolve));
    } else if (wait === 'ms') await this.#world.advance(n * 4);
    else if (wait === 'settled' && settled !== undefined) {
      await this.#world.settles(settled, MAX_WAIT_MS);
    }
  }

  #begin(operation: Operation) {
    const { kind, n } = operation;
    const handle = this.#handle;
    const isTravel = (TRAVELS as readonly string[]).includes(kind);
    const options = this.#optionsOf(operation, isTravel);
    const { commands, queries } = handle;
    const follow = (make: () => Promise<unknown>, id = 0) =>
      this.#model.follow(kind, make, { id, isTravel });
    switch (kind) {
      case 'note': {
        this.#lastId += 1;
        const id = this.#lastId;
        const more = Float64Array.from({ length: n }, (_, index) => id + index);
        return follow(() => (n % 2 === 0 ? commands.note(id) : commands.note(id, more)), id);
      }
      case 'noteAndThrow':
        this.#lastId += 1;
        return follow(() => commands.noteAndThrow(this.#lastId), this.#lastId);
      case 'poison':
        this.#lastId += 1;
        return follow(() => commands.poison(this.#lastId));
      case 'input':
        return this.#push();
      case 'pause':
      case 'resume':
        return follow(() => handle[kind](options));
      case 'step':
        return follow(() => handle.step(1 + n, options));
      case 'seek':
        return follow(() => handle.seek(Math.max(0, handle.stats().tick - n), options));
      case 'restore': {
        const state = this.#states[n % Math.max(1, this.#states.length)];
        return state && follow(() => handle.restore(state, options));
      }
      case 'openReplay': {
        const recording = this.#recordings[n % Math.max(1, this.#recordings.length)];
        return recording && follow(() => this.#openReplay(recording, options));
      }
      case 'seekInReplay': {
        const replay = this.#replays.at(-1 - (n % 2));
        return replay && follow(() => replay.seek(n, options));
      }
      case 'closeReplay': {
        const replay = this.#replays.at(-1 - (n % 2));
        return replay && follow(() => replay.close(options));
      }
      case 'rebuild':
        return follow(() => queries.rebuild());
      case 'failOnce':
      case 'hang':
      case 'never':
        return follow(() => queries[kind]());
      case 'replaceWorker':
        return follow(() => handle.replaceWorker(undefined, options));
      case 'save':
        return follow(async () => this.#states.push(await handle.save(options)));
      case 'recording':
        return follow(() => this.#keepRecording());
      case 'rate':
        return this.#set('tickRateHz', RATES[n % RATES.length] ?? 1, options);
      case 'scale':
        return this.#set('timeScale', SCALES[n % SCALES.length] ?? 1, options);
      case 'catchUp':
        return follow(() => handle.setMaxCatchUpTicks(1 + n, options));
      case 'echo':
        return follow(() => queries.echo(n));
      case 'refuse':
        return follow(() => queries.refuse('refused on request'));
      case 'stall':
        return follow(() => queries.stall(n * 3));
      case 'stallStep':
        return follow(() => queries.stallStep(n * 3));
      default:
        return this.#act(operation);
    }
  }

  /** Operations that are not calls of the worker. */
  #act({ kind, n }: Operation): undefined {
    const handle = this.#handle;
    switch (kind) {
      case 'sample':
        handle.sample(this.#world.nowMs);
        break;
      case 'stats':
        handle.stats();
        void handle.rewindRange;
        break;
      case 'resetStats':
        handle.resetStats();
        break;
      case 'events':
        if (n % 3 === 0) this.#offs.splice(0).forEach((off) => off());
        else this.#offs.push(handle.on('noted', () => {}, { when: n % 2 === 0 ? 'now' : 'shown' }));
        break;
      case 'openGate':
        this.#world.openGate();
        break;
      case 'timePasses':
        this.#world.timePasses(PASSING_MS[n % PASSING_MS.length] ?? 0);
        break;
      case 'kill':
        this.#world.kill();
        break;
      case 'dispose':
        this.#model.follow(kind, () => handle.dispose());
        break;
      default:
    }
    return undefined;
  }

  #optionsOf({ stop, n }: Operation, isTravel: boolean): CallOptions | undefined {
    // The model would not know when the run has been moved.
    if (stop === 'none' || (isTravel && stop === 'soon')) return undefined;
    if (stop === 'before')
      return { signal: AbortSignal.abort(new Error('stopped before the call')) };
    const controller = new AbortController();
    void this.#wait({ wait: 'turns', n, kind: 'note', stop }, undefined).then(() =>
      controller.abort(new Error('stopped during the call')),
    );
    return { signal: controller.signal };
  }

  #push(): undefined {
    this.#lastId += 1;
    const input = {
      kind: 'custom',
      code: this.#lastId,
      device: 0,
      x: 0,
      y: 0,
      z: 0,
      w: 0,
    } as const;
    this.#model.noteInput(this.#lastId, this.#handle.inputs.push(input, this.#world.nowMs));
  }

  #set(name: Setting, value: number, options: CallOptions | undefined) {
    const handle = this.#handle;
    const make = () =>
      name === 'tickRateHz'
        ? handle.setTickRate(value, options)
        : handle.setTimeScale(value, options);
    const call = this.#model.follow(name, make);
    this.settings.push({ name, value, call });
    return call;
  }

  /** Its end comes at any time, and is followed as a separate call. */
  async #openReplay(recording: Recording, options: CallOptions | undefined): Promise<void> {
    const replay = await this.#handle.openReplay(recording, options);
    this.#replays.push(replay);
    this.#model.follow('ended', () => replay.ended);
  }

  /** The status of a replay that is shown is consistent, and the others are over. */
  checkReplays(): void {
    const shown = this.#handle.replay;
    for (const { state, report, recording } of this.#replays) {
      const isShown = recording === shown?.recording;
      if (!isShown && state !== 'closed') this.#model.fault(`a replay is left, and ${state}`);
      if (report.tick > recording.lastTick)
        this.#model.fault(`a replay of ${recording.lastTick} ticks is at tick ${report.tick}`);
      if (report.differsAt !== undefined)
        this.#model.fault(`a replay differs at tick ${report.differsAt}`);
    }
    if (shown?.state === 'closed') this.#model.fault('a replay is shown that is closed');
  }

  /**
   * The journal arrives in messages, and the run's tick does not: a recording is complete when no
   * message is pending.
   */
  async #keepRecording(): Promise<void> {
    const { tick } = this.#handle.stats();
    await this.#handle.queries.echo('all is here');
    if (this.#handle.stats().tick !== tick) return;
    const recording = this.recording();
    if (recording !== undefined) this.#recordings.push(recording);
  }
}
