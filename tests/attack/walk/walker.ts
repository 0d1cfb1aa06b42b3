/** The handle that a walk operates, whose calls the model follows, and what the calls have led to. */
import type { CallOptions, Replay } from '../../../src/render-main/index.js';
import type { BodyId, Recording, SavedState } from '../../../src/shared/index.js';
import { inputOf } from '../../fixtures/run-toy.js';
import type { TrackedCall, WalkModel } from './model.js';
import type { Step } from '../../fixtures/walk.js';
import type { CountingHandle, World } from './world.js';

/** Operations that move the run. */
const TRAVELS: ReadonlySet<string> = new Set([
  'seek',
  'restore',
  'openReplay',
  'seekInReplay',
  'closeReplay',
  'rebuild',
]);
/** Calls that wait for another event, such as a resume, are not waited for longer. */
const MAX_WAIT_MS = 200;

/** The settings, by their names in the statistics. */
type Setting = 'tickRateHz' | 'timeScale';

/** Drawn for each step besides. */
export interface WalkMore {
  /** When the signal of the call is aborted, if it has one. */
  readonly stop: 'before' | 'soon' | undefined;
  /** How long the walk waits then: turns of the event loop, ms, or until it is settled. */
  readonly wait: 'turns' | 'ms' | 'settled' | undefined;
}
export type WalkStep = Step<WalkMore>;

/** The handle as an operation calls it. */
export interface Caller {
  readonly handle: CountingHandle;
  readonly options: CallOptions | undefined;
}

export const nth = <T>(list: readonly T[], n: number): T | undefined =>
  list[n % Math.max(1, list.length)];

async function takeTurns(n: number): Promise<void> {
  for (let turn = 0; turn < n % 7; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export class Walker {
  /** Calls that change a setting, in order. */
  readonly settings: {
    readonly name: Setting;
    readonly value: number;
    readonly call: TrackedCall;
  }[] = [];
  readonly #isRecorded: boolean;
  readonly world: World;
  readonly #model: WalkModel;
  readonly handle: CountingHandle;
  readonly recordings: Recording[] = [];
  readonly states: SavedState[] = [];
  /** All that were opened: most of them are no longer shown. */
  readonly replays: Replay[] = [];
  readonly offs: (() => void)[] = [];
  /** All bodies that the page has known. */
  readonly #bodies = new Set<BodyId>();
  readonly #pose = new Float64Array(7);
  #lastId = 0;

  constructor(isRecorded: boolean, world: World, model: WalkModel) {
    this.#isRecorded = isRecorded;
    this.world = world;
    this.#model = model;
    this.handle = world.handle;
  }

  /** Undefined if nothing is recorded. */
  recording(): Recording | undefined {
    try {
      return this.handle.recording();
    } catch (error) {
      if (this.#isRecorded) throw error;
      return undefined;
    }
  }

  /** As long as a step says. */
  async wait({ wait, n }: WalkStep, settled: Promise<void> | undefined): Promise<void> {
    if (wait === 'turns') await takeTurns(n);
    else if (wait === 'ms') await this.world.advance(n * 4);
    else if (wait === 'settled' && settled !== undefined) {
      await this.world.settles(settled, MAX_WAIT_MS);
    }
  }

  /** Makes a call, with what its step says, which the model follows. */
  call({ name, n, stop }: WalkStep, make: (by: Caller) => Promise<unknown>, id = 0): TrackedCall {
    const isTravel = TRAVELS.has(name);
    const { handle } = this;
    const options = this.#optionsOf(stop, n, isTravel);
    return this.#model.follow(name, () => make({ handle, options }), { id, isTravel });
  }

  async save({ handle, options }: Caller): Promise<void> {
    this.states.push(await handle.save(options));
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #optionsOf(stop: WalkStep['stop'], n: number, isTravel: boolean): CallOptions | undefined {
    // The model would not know when the run has been moved.
    if (stop === undefined || (isTravel && stop === 'soon')) return undefined;
    if (stop === 'before')
      return { signal: AbortSignal.abort(new Error('stopped before the call')) };
    const controller = new AbortController();
    void takeTurns(n).then(() => controller.abort(new Error('stopped during the call')));
    return { signal: controller.signal };
  }

  push(): void {
    const id = this.nextId();
    const isTaken = this.handle.inputs.push(inputOf(id, 0), this.world.nowMs);
    this.#model.noteInput(id, isTaken);
  }

  set(
    step: WalkStep,
    name: Setting,
    values: readonly number[],
    make: (by: Caller, value: number) => Promise<unknown>,
  ): TrackedCall {
    const value = nth(values, step.n) ?? 1;
    const call = this.call(step, (by) => make(by, value));
    this.settings.push({ name, value, call });
    return call;
  }

  /** Opens a replay. The end comes at any time, and is followed as a separate call. */
  async openReplay(recording: Recording, options: CallOptions | undefined): Promise<void> {
    const replay = await this.handle.openReplay(recording, options);
    this.replays.push(replay);
    this.#model.follow('ended', () => replay.ended);
  }

  /** The status of a replay that is shown is consistent, and the others are over. */
  checkReplays(): void {
    const shown = this.handle.replay;
    for (const { state, report, recording } of this.replays) {
      const isShown = recording === shown?.recording;
      if (!isShown && state !== 'closed') this.#model.fault(`a replay is left, and ${state}`);
      if (report.tick > recording.lastTick)
        this.#model.fault(`a replay of ${recording.lastTick} ticks is at tick ${report.tick}`);
      if (report.differsAt !== undefined)
        this.#model.fault(`a replay differs at tick ${report.differsAt}`);
    }
    if (shown?.state === 'closed') this.#model.fault('a replay is shown that is closed');
  }

  /** The bodies that the page knows are those that its frame draws, once the message has arrived that a state follows. */
  async checkBodies(): Promise<void> {
    let wrong = this.#wrongBody();
    for (let turn = 0; wrong !== undefined && turn < 3; turn++) {
      await takeTurns(1);
      if (this.handle.state === 'disposed') return;
      wrong = this.#wrongBody();
    }
    if (wrong !== undefined) this.#model.fault(wrong);
  }

  #wrongBody(): string | undefined {
    const { handle, world } = this;
    handle.sample(world.nowMs);
    for (const id of handle.bodies.keys()) this.#bodies.add(id);
    for (const id of this.#bodies) {
      const [known, drawn] = [handle.bodies.get(id), handle.pose(id, this.#pose)?.[0]];
      if (known !== drawn) return `the body ${known} is drawn as ${drawn}`;
    }
    return undefined;
  }

  /**
   * The journal arrives in messages, and the run's tick does not: a recording is complete when no
   * message is pending.
   */
  async keepRecording(): Promise<void> {
    const { tick } = this.handle.stats();
    await this.handle.queries.echo('all is here');
    if (this.handle.stats().tick !== tick) return;
    const recording = this.recording();
    if (recording !== undefined) this.recordings.push(recording);
  }
}
