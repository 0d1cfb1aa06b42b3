/** The simulation that the picture's worker has started, as the page uses it. */
import type { Remote } from 'comlink';
import type { InputSink } from '../../../src/render-main/inputs/index.js';
import type { InterpolationMode, SimulationStatus } from '../../../src/render-main/index.js';
import type { Recording, SavedState } from '../../../src/shared/index.js';
import type { DemoReplay, DemoSimulation } from '../start-simulation.js';
import type {
  Answer,
  Mirror,
  PictureService,
  SentFrame,
  SimulationCall,
} from './remote-protocol.js';
import { receivedError, type SentError } from './sent-errors.js';

type StatusHandler = (status: SimulationStatus) => void;

/** @throws What the call has thrown, by the promise. */
export async function resultOf<T>(answering: Promise<Answer>): Promise<T> {
  const answer = await answering;
  if ('error' in answer) throw receivedError(answer.error);
  return answer.value as T;
}

export class RemoteSimulation implements DemoSimulation {
  readonly commands: DemoSimulation['commands'];
  readonly queries: DemoSimulation['queries'];
  readonly inputs: InputSink;
  readonly #service: Remote<PictureService>;
  readonly #handlers = new Set<StatusHandler>();
  #mirror: Mirror;
  #frame: Pick<SentFrame, 'alpha' | 'animationErrorMs'> = { alpha: 0, animationErrorMs: 0 };
  #replay: RemoteReplay | undefined;

  /** @param mirror What is known at its start. */
  constructor(service: Remote<PictureService>, inputs: InputSink, mirror: Mirror) {
    this.#service = service;
    this.inputs = inputs;
    this.#mirror = mirror;
    this.commands = functions((name, args) => resultOf(service.command(name, args)));
    this.queries = functions((name, args) => resultOf(service.query(name, args)));
  }

  get state() {
    return this.#mirror.state;
  }

  get transport() {
    return this.#mirror.transport;
  }

  get tickRateHz() {
    return this.#mirror.tickRateHz;
  }

  get timeScale() {
    return this.#mirror.timeScale;
  }

  get interpolation() {
    return this.#mirror.interpolation;
  }

  get rewindRange() {
    return this.#mirror.rewindRange;
  }

  get latest() {
    return this.#frame;
  }

  get lastAnimationErrorMs() {
    return this.#frame.animationErrorMs;
  }

  get replay(): DemoReplay | undefined {
    return this.#replay?.state === 'closed' ? undefined : this.#replay;
  }

  stats() {
    return this.#mirror.stats;
  }

  /** One reader at a time: the display of measurements. */
  openCounters() {
    return {
      reset: () => void this.#service.resetCounters(),
      read: () => this.#mirror.counts,
    };
  }

  resetStats(): void {
    void this.#call('resetStats');
  }

  setInterpolation(mode: InterpolationMode): void {
    void this.#call('setInterpolation', mode);
  }

  on(_name: 'status', handler: StatusHandler): () => void {
    this.#handlers.add(handler);
    return () => void this.#handlers.delete(handler);
  }

  pause(): Promise<void> {
    return this.#call('pause');
  }

  resume(): Promise<void> {
    return this.#call('resume');
  }

  step(ticks = 1): Promise<number> {
    return this.#call('step', ticks);
  }

  setTickRate(tickRateHz: number): Promise<void> {
    return this.#call('setTickRate', tickRateHz);
  }

  setTimeScale(timeScale: number): Promise<void> {
    return this.#call('setTimeScale', timeScale);
  }

  save(): Promise<SavedState> {
    return this.#call('save');
  }

  restore(state: SavedState): Promise<void> {
    return this.#call('restore', state);
  }

  recording(): Promise<Recording> {
    return this.#call('recording');
  }

  async openReplay(recording: Recording, options?: { readonly tick: number }): Promise<DemoReplay> {
    const number = await resultOf<number>(this.#service.openReplay(recording, options));
    const known = this.#mirror.replay;
    if (known?.number !== number) throw new Error('another replay was opened in the meantime');
    this.#replay = new RemoteReplay(this.#service, recording, known);
    return this.#replay;
  }

  dispose(): Promise<void> {
    return resultOf(this.#service.dispose());
  }

  /** News of the worker. */
  update(mirror: Mirror): void {
    this.#mirror = mirror;
    this.#replay?.update(mirror.replay);
  }

  drew(frame: SentFrame): void {
    this.#frame = frame;
  }

  report(status: SimulationStatus, error: SentError | undefined): void {
    const whole = error === undefined ? status : { ...status, error: receivedError(error) };
    for (const handler of this.#handlers) handler(whole as SimulationStatus);
  }

  #call<T>(name: SimulationCall, ...args: readonly unknown[]): Promise<T> {
    return resultOf(this.#service.call(name, args));
  }
}

class RemoteReplay implements DemoReplay {
  readonly recording: Recording;
  readonly #service: Remote<PictureService>;
  #known: NonNullable<Mirror['replay']>;

  constructor(
    service: Remote<PictureService>,
    recording: Recording,
    known: NonNullable<Mirror['replay']>,
  ) {
    this.#service = service;
    this.recording = recording;
    this.#known = known;
  }

  get state() {
    return this.#known.state;
  }

  get report() {
    return this.#known.report;
  }

  seek(tick: number) {
    return resultOf<DemoReplay['report']>(this.#service.seekReplay(this.#known.number, tick));
  }

  close() {
    return resultOf<DemoReplay['report']>(this.#service.closeReplay(this.#known.number));
  }

  update(known: Mirror['replay']): void {
    if (known?.number !== this.#known.number) {
      this.#known = { ...this.#known, state: 'closed' };
      return;
    }
    // A report that is equal is the same object, as on the page.
    const { hashes, tick, differsAt } = known.report;
    const last = this.#known.report;
    const isSame = hashes === last.hashes && tick === last.tick && differsAt === last.differsAt;
    this.#known = isSame ? { ...known, report: last } : known;
  }
}

/** Functions of any name. */
function functions<T extends object>(
  call: (name: string, args: readonly unknown[]) => Promise<unknown>,
): T {
  return new Proxy({} as T, {
    get:
      (_, name) =>
      (...args: readonly unknown[]) =>
        call(String(name), args),
  });
}
