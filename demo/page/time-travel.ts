/** Takes the run elsewhere: to another tick, into a recording and out of it. */
import { WorkerFailedError, type Replay, type SampledFrame } from '../../src/render-main/index.js';
import type { Recording } from '../../src/shared/index.js';
import { LatestWins } from './latest-wins.js';
import { engineBuildOf, sceneOf, shotTicksOf } from './recorded-scene.js';
import { Rewind } from './rewind.js';
import type { Settings } from './settings.js';
import type { SettingsStore } from '../../site/common/settings-store.js';
import type { SessionTurn, SimulationSession } from './simulation-session.js';
import { closeReplay, type DemoSimulation } from './start-simulation.js';

/** A replay that is shown, for whoever tells of it. */
export interface ShownReplay {
  readonly replay: Replay;
  readonly firstTick: number;
  /** The tick that is compared from: of the state by which the tick that was sought last was reached. */
  readonly sinceTick: number;
}

export interface TravelEvents {
  /** The run is about to be left: what the player holds has to be let go of. */
  readonly onLeave: () => void;
  /** The run is the player's again, at another moment than before. */
  readonly onLive: () => void;
  /** A replay has begun, was gone about in, or is shown no more. */
  readonly onReplay: (shown: ShownReplay | undefined) => void;
}

/** What is gone back to when a replay is closed. */
type Before = Pick<Settings, 'scene' | 'bodies' | 'seed' | 'engine' | 'capacity' | 'paused'>;

export class TimeTravel {
  readonly #store: SettingsStore<Settings>;
  readonly #session: SimulationSession;
  readonly #events: TravelEvents;
  readonly #seeks = new LatestWins<number>((tick) => this.#seek(tick));
  #shown: ShownReplay | undefined;
  #before: Before | undefined;
  #rewind: Rewind | undefined;
  /** Ticks in which the replay that is shown gets more bodies; the newest of them that was drawn. */
  #shotTicks: readonly number[] = [];
  #seenTick = 0;

  constructor(store: SettingsStore<Settings>, session: SimulationSession, events: TravelEvents) {
    this.#store = store;
    this.#session = session;
    this.#events = events;
    session.onStart((simulation) => this.#follow(simulation));
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
    return this.#do(async (_, turn) => {
      const scene = sceneOf(recording);
      const before = this.#before ?? this.#remember();
      await this.#prepareFor(recording, before, turn);
      const { simulation } = this.#session;
      if (simulation === undefined) return;
      this.#events.onLeave();
      const { paused } = this.#store.current;
      const firstTick = recording.start?.tick ?? 0;
      try {
        await simulation.pause();
        await this.#session.picture.during('Loading', async () => {
          const replay = await simulation.openReplay(recording);
          this.#dropRewind();
          this.#session.adoptScene(scene);
          await this.#session.refresh('moved');
          this.#before = before;
          this.#shotTicks = shotTicksOf(recording);
          this.#seenTick = firstTick;
          this.#setShown({ replay, firstTick, sinceTick: firstTick });
        });
      } catch (error) {
        const { engine, capacity } = this.#store.current;
        const isSwitched = engine !== before.engine || capacity !== before.capacity;
        if (isSwitched) await turn.restartWith(before);
        else if (!paused) await simulation.resume();
        throw error;
      }
      this.#store.update({ paused: false });
      await simulation.resume();
    });
  }

  /** Goes to a tick of the replay that is shown. Asked for faster than it can be done, the latest wins. */
  seek(tick: number): void {
    this.#seeks.ask(tick).catch((error: unknown) => this.#session.reportError(error));
  }

  /** Lets the replay go on, or stand. At its end it begins again. */
  async togglePlay(): Promise<void> {
    const shown = this.#shown;
    if (shown?.replay.state === 'ended') await this.#seeks.ask(shown.firstTick);
    this.#store.update({ paused: !this.#store.current.paused });
  }

  /** The player goes on from where the replay is. */
  takeOver(): Promise<void> {
    return this.#do(async (simulation) => {
      if (this.#shown === undefined) return;
      await this.#seeks.settled();
      await closeReplay(simulation);
      this.leave();
      this.#events.onLive();
      this.#store.update({ paused: false });
      await simulation.resume();
    });
  }

  /** Back to the scene of before, from its start. */
  close(): Promise<void> {
    return this.#do(async (simulation, turn) => {
      const before = this.#before;
      if (before === undefined) return;
      this.leave();
      await this.#seeks.settled();
      await closeReplay(simulation);
      const { engine, capacity } = this.#store.current;
      if (engine !== before.engine || capacity !== before.capacity) {
        await turn.restartWith(before);
        return;
      }
      this.#session.adoptScene({ name: before.scene, bodies: before.bodies, seed: before.seed });
      this.#store.update({ paused: before.paused });
      await turn.loadScene();
    });
  }

  /**
   * Goes back in the run that is played.
   *
   * @param backSeconds Seconds of simulated time before the moment at which the slider was taken.
   * @param isLast The slider was let go: the run goes on from here.
   */
  async rewind(backSeconds: number, isLast: boolean): Promise<void> {
    const { simulation } = this.#session;
    if (simulation === undefined || this.#shown !== undefined) return;
    const backTicks = backSeconds * this.#store.current.tickHz;
    if (this.#rewind === undefined) {
      this.#events.onLeave();
      this.#rewind = new Rewind(this.#session, backTicks);
    }
    const rewind = this.#rewind;
    let hasFailed = false;
    try {
      await rewind.to(backTicks);
      if (isLast && this.#rewind === rewind) await rewind.end();
    } catch (error) {
      hasFailed = true;
      this.#session.reportError(error);
    }
    // Something else may have been shown meanwhile.
    if ((isLast || hasFailed) && this.#rewind === rewind) this.#endRewind(simulation);
  }

  /** To be called with each frame: shots of a replay are drawn when their tick is shown. */
  frame({ tick }: SampledFrame): void {
    const seen = this.#seenTick;
    this.#seenTick = tick;
    if (this.#shown === undefined || tick <= seen) return;
    if (!this.#shotTicks.some((shot) => shot > seen && shot <= tick)) return;
    this.#session.refresh('same-run').catch((error: unknown) => this.#session.reportError(error));
  }

  /** Failures are told. */
  async #do(run: (simulation: DemoSimulation, turn: SessionTurn) => Promise<void>): Promise<void> {
    try {
      await this.#session.inTurn(async (turn) => {
        const { simulation } = this.#session;
        if (simulation !== undefined) await run(simulation, turn);
      });
    } catch (error) {
      this.#session.reportError(error);
    }
  }

  #follow(simulation: DemoSimulation): void {
    simulation.on('status', (status) => {
      // It stands at its end: the panel and the address say so.
      if (status.kind === 'replayed' && this.#shown !== undefined) {
        this.#store.update({ paused: true });
      }
      if (status.kind === 'restarted') this.#afterRestart();
      // Where another scene is built instead, that is told by itself.
      if (status.kind === 'replay-stopped' && status.error instanceof WorkerFailedError) {
        this.#session.reportError(new Error(status.error.message));
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
    this.#session.refresh('same-run').catch((error: unknown) => this.#session.reportError(error));
  }

  #dropRewind(): void {
    this.#rewind?.abandon();
    this.#rewind = undefined;
  }

  #endRewind(simulation: DemoSimulation): void {
    this.#dropRewind();
    this.#events.onLive();
    if (this.#store.current.paused) return;
    simulation.resume().catch((error: unknown) => this.#session.reportError(error));
  }

  async #seek(tick: number): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined) return;
    const { replay, firstTick } = shown;
    await this.#session.picture.during(`Going to tick ${tick}`, async () => {
      try {
        await replay.seek(tick);
      } catch (error) {
        // Why it is not shown any more is told by itself.
        if (replay.state === 'closed') return;
        throw error;
      }
      this.#seenTick = tick;
      await this.#session.refresh('same-run');
      if (this.#shown !== shown) return;
      const from = replay.recording.states.findLast((state) => state.tick <= tick);
      this.#setShown({ ...shown, sinceTick: from?.tick ?? firstTick });
    });
  }

  /** The engine's build and the room for bodies belong to what decides a run. */
  async #prepareFor({ run }: Recording, before: Before, turn: SessionTurn): Promise<void> {
    const engine = engineBuildOf(run.engine) ?? before.engine;
    const { engine: engineNow, capacity: capacityNow } = this.#store.current;
    if (engine === engineNow && run.capacity === capacityNow) return;
    await turn.restartWith({ engine, capacity: run.capacity });
  }

  #remember(): Before {
    const { scene, bodies, seed, engine, capacity, paused } = this.#store.current;
    return { scene, bodies, seed, engine, capacity, paused };
  }

  /** No replay is shown any more: the run was taken somewhere else. */
  leave(): void {
    this.#before = undefined;
    this.#dropRewind();
    if (this.#shown !== undefined) this.#setShown(undefined);
  }

  #setShown(shown: ShownReplay | undefined): void {
    this.#shown = shown;
    this.#events.onReplay(shown);
  }
}
