/** Takes the run elsewhere: to another tick, into a recording and out of it. */
import {
  WorkerFailedError,
  type Recording,
  type ReplayReport,
  type SampledFrame,
} from '../../src/render-main/index.js';
import { LatestWins } from './latest-wins.js';
import { engineBuildOf, sceneOf, shotTicksOf } from './recorded-scene.js';
import { replayShown } from './replay-shown.js';
import { Rewind } from './rewind.js';
import type { Settings } from './settings.js';
import type { SettingsStore } from '../../site/common/settings-store.js';
import type { DemoSimulation, SimulationSession } from './simulation-session.js';

/** A replay that is shown, for whoever tells of it. */
export interface ShownReplay {
  readonly recording: Recording;
  readonly firstTick: number;
  /** The tick that is compared from: of the state by which the tick that was sought last was reached. */
  readonly sinceTick: number;
  /** How it compares from there to the tick that was sought last. Undefined: none was. */
  readonly sought: ReplayReport | undefined;
  /** How it compares from there to where it is. Undefined: not known yet. */
  readonly soFar: ReplayReport | undefined;
  /** How it compares from there to its end, when it has come to that. */
  readonly report: ReplayReport | undefined;
}

export interface TravelEvents {
  /** The run is about to be left: what the player holds has to be let go of. */
  readonly onLeave: () => void;
  /** The run is the player's again, at another moment than before. */
  readonly onLive: () => void;
  /** A replay has begun, has come to its end, or is shown no more. */
  readonly onReplay: (shown: ShownReplay | undefined) => void;
}

/** What is gone back to when a replay is closed. */
type Before = Pick<Settings, 'scene' | 'bodies' | 'seed' | 'engine' | 'capacity' | 'paused'>;

/** Between two looks at how a replay compares, in ms. */
const WATCH_MS = 400;

export class TimeTravel {
  readonly #store: SettingsStore<Settings>;
  readonly #session: SimulationSession;
  readonly #events: TravelEvents;
  readonly #seeks = new LatestWins<number>((tick) => this.#goTo(tick));
  #shown: ShownReplay | undefined;
  #before: Before | undefined;
  #rewind: { readonly rewind: Rewind; readonly begun: Promise<void> } | undefined;
  /** Ticks in which the replay that is shown gets more bodies; the newest of them that was drawn. */
  #shotTicks: readonly number[] = [];
  #seenTick = 0;

  constructor(store: SettingsStore<Settings>, session: SimulationSession, events: TravelEvents) {
    this.#store = store;
    this.#session = session;
    this.#events = events;
    session.onStart((simulation) => this.#follow(simulation));
    setInterval(() => {
      // What fails is told by the session's own events.
      this.#watch().catch(() => {});
    }, WATCH_MS);
    session.onScene((_, change) => {
      if (change === 'built') this.leave();
    });
  }

  /** The replay that is shown. A rewind is none. */
  get shown(): ShownReplay | undefined {
    return this.#shown;
  }

  /** Shows a recording from its start. What cannot be shown is told, and nothing else changes. */
  showRecording(recording: Recording): Promise<void> {
    return this.#do(async () => {
      const scene = sceneOf(recording);
      const before = this.#before ?? this.#place();
      await this.#prepareFor(recording, before);
      const { simulation } = this.#session;
      if (simulation === undefined) return;
      this.#events.onLeave();
      const { paused } = this.#store.current;
      try {
        await simulation.pause();
        await this.#session.hold('Loading', async () => {
          await replayShown(simulation, recording);
          this.#session.adoptScene(scene);
          await this.#session.refresh('moved');
        });
      } catch (error) {
        const { engine, capacity } = this.#store.current;
        const isSwitched = engine !== before.engine || capacity !== before.capacity;
        if (isSwitched) await this.#session.restartWith(before);
        else if (!paused) await simulation.resume();
        throw error;
      }
      const firstTick = recording.start?.tick ?? 0;
      this.#before = before;
      this.#shotTicks = shotTicksOf(recording);
      this.#seenTick = firstTick;
      this.#setShown({
        recording,
        firstTick,
        sinceTick: firstTick,
        sought: undefined,
        soFar: undefined,
        report: undefined,
      });
      this.#store.update({ paused: false });
      await simulation.resume();
    });
  }

  /** Goes to a tick of the replay that is shown. Asked for faster than it can be done, the latest wins. */
  seek(tick: number): void {
    this.#seeks.ask(tick).catch((error: unknown) => this.#session.tell(error));
  }

  /** Lets the replay go on, or stand. At its end it begins again. */
  async togglePlay(): Promise<void> {
    const shown = this.#shown;
    if (shown?.report !== undefined) await this.#seeks.ask(shown.firstTick);
    this.#store.update({ paused: !this.#store.current.paused });
  }

  /** The player goes on from where the replay is. */
  takeOver(): Promise<void> {
    return this.#do(async (simulation) => {
      if (this.#shown === undefined) return;
      await this.#seeks.settled();
      await simulation.endReplay();
      this.leave();
      this.#events.onLive();
      this.#store.update({ paused: false });
      await simulation.resume();
    });
  }

  /** Back to the scene of before, from its start. */
  close(): Promise<void> {
    return this.#do(async (simulation) => {
      const before = this.#before;
      if (before === undefined) return;
      this.leave();
      await this.#seeks.settled();
      await simulation.endReplay();
      const { engine, capacity } = this.#store.current;
      if (engine !== before.engine || capacity !== before.capacity) {
        await this.#session.restartWith(before);
        return;
      }
      this.#session.adoptScene({ name: before.scene, bodies: before.bodies, seed: before.seed });
      this.#store.update({ paused: before.paused });
      await this.#session.loadScene();
    });
  }

  /**
   * Goes back in the run that is played.
   *
   * @param backS Seconds of simulated time before the moment at which the slider was taken.
   * @param isLast The slider was let go: the run goes on from here.
   */
  async rewind(backS: number, isLast: boolean): Promise<void> {
    await this.#do(async (simulation) => {
      if (this.#shown !== undefined) return;
      const backTicks = backS * this.#store.current.tickHz;
      if (this.#rewind === undefined) {
        this.#events.onLeave();
        const rewind = new Rewind(this.#session, simulation);
        this.#rewind = { rewind, begun: rewind.begin(backTicks) };
      }
      const current = this.#rewind;
      try {
        await current.begun;
        await current.rewind.to(backTicks);
        if (!isLast || this.#rewind !== current) return;
        await current.rewind.end();
      } catch (error) {
        if (this.#rewind === current) this.#endRewind(simulation);
        throw error;
      }
      this.#endRewind(simulation);
    });
  }

  /** To be called with each frame: shots of a replay are drawn when their tick is shown. */
  frame({ tick }: SampledFrame): void {
    const seen = this.#seenTick;
    this.#seenTick = tick;
    if (this.#shown === undefined || tick <= seen) return;
    if (!this.#shotTicks.some((shot) => shot > seen && shot <= tick)) return;
    this.#session.refresh('same-run').catch((error: unknown) => this.#session.tell(error));
  }

  /** Failures are told. */
  async #do(run: (simulation: DemoSimulation) => Promise<void>): Promise<void> {
    const { simulation } = this.#session;
    if (simulation === undefined) return;
    try {
      await run(simulation);
    } catch (error) {
      this.#session.tell(error);
    }
  }

  #follow(simulation: DemoSimulation): void {
    simulation.on('status', (status) => {
      if (status.kind === 'replayed' && this.#shown !== undefined) {
        this.#setShown({
          ...this.#shown,
          report: joined(this.#shown.sought, status.report),
        });
        // It stands there: the panel and the address say so.
        this.#store.update({ paused: true });
      }
      if (status.kind === 'restarted') this.#afterRestart();
      // Where another scene is built instead, that is told by itself.
      if (status.kind === 'replay-stopped' && status.error instanceof WorkerFailedError) {
        this.#session.tell(new Error(status.error.message));
        this.#store.update({ paused: true });
        this.#afterRestart();
      }
    });
  }

  /** The player's own run has come back, by another worker or in this one; a replay that was shown is not there any more. */
  #afterRestart(): void {
    const { simulation } = this.#session;
    if (this.#rewind !== undefined && simulation !== undefined) this.#endRewind(simulation);
    if (this.#shown !== undefined) {
      void this.close();
      return;
    }
    this.#session.refresh('same-run').catch((error: unknown) => this.#session.tell(error));
  }

  #endRewind(simulation: DemoSimulation): void {
    this.#rewind = undefined;
    this.#events.onLive();
    if (this.#store.current.paused) return;
    simulation.resume().catch((error: unknown) => this.#session.tell(error));
  }

  async #goTo(tick: number): Promise<void> {
    const { simulation } = this.#session;
    const shown = this.#shown;
    if (simulation === undefined || shown === undefined) return;
    await this.#session.hold(`Going to tick ${tick}`, async () => {
      const report = await simulation.goTo(tick);
      this.#seenTick = tick;
      await this.#session.refresh('same-run');
      if (this.#shown === undefined) return;
      const { recording, firstTick } = shown;
      const hasEnded = tick === recording.lastTick;
      this.#setShown({
        ...shown,
        sinceTick: recording.states.findLast((state) => state.tick <= tick)?.tick ?? firstTick,
        sought: report,
        soFar: report,
        report: hasEnded ? report : undefined,
      });
    });
  }

  /** The engine's build and the room for bodies belong to what decides a run. */
  async #prepareFor({ run }: Recording, before: Before): Promise<void> {
    const engine = engineBuildOf(run.engine) ?? before.engine;
    const { engine: engineNow, capacity: capacityNow } = this.#store.current;
    if (engine === engineNow && run.capacity === capacityNow) return;
    await this.#session.restartWith({ engine, capacity: run.capacity });
  }

  #place(): Before {
    const { scene, bodies, seed, engine, capacity, paused } = this.#store.current;
    return { scene, bodies, seed, engine, capacity, paused };
  }

  /** No replay is shown any more: the run was taken somewhere else. */
  leave(): void {
    this.#before = undefined;
    this.#rewind = undefined;
    if (this.#shown !== undefined) this.#setShown(undefined);
  }

  /** Asks a few times a second how the replay compares: the worker tells by itself only at its end. */
  async #watch(): Promise<void> {
    const { simulation } = this.#session;
    const shown = this.#shown;
    if (simulation === undefined || shown === undefined || shown.report !== undefined) return;
    const report = await simulation.replayReport();
    // Somebody may have gone elsewhere meanwhile.
    if (report === undefined || this.#shown !== shown) return;
    this.#setShown({ ...shown, soFar: joined(shown.sought, report) });
  }

  #setShown(shown: ShownReplay | undefined): void {
    this.#shown = shown;
    this.#events.onReplay(shown);
  }
}

/** Of two stretches, one after the other. */
function joined(first: ReplayReport | undefined, then: ReplayReport): ReplayReport {
  if (first === undefined) return then;
  return {
    tick: then.tick,
    hashes: first.hashes + then.hashes,
    differsAt: first.differsAt ?? then.differsAt,
    equalUpTo: first.differsAt === undefined && then.hashes > 0 ? then.equalUpTo : first.equalUpTo,
  };
}
