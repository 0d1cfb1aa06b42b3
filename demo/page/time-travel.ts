/** Takes the run elsewhere: to another tick, into a recording and back. */
import { WorkerFailedError, type Replay } from '../../src/render-main/index.js';
import type { Recording } from '../../src/shared/index.js';
import { LatestWins } from './latest-wins.js';
import { engineBuildOf, sceneOf, shotTicksOf } from './recorded-scene.js';
import { Rewind } from './rewind.js';
import type { Settings } from './settings.js';
import type { SettingsStore } from '../../site/settings-store.js';
import type { SessionTurn, SimulationSession } from './simulation-session.js';
import { closeReplay, type DemoSimulation } from './start-simulation.js';

/** A replay that is shown, with its state. */
export interface ShownReplay {
  readonly replay: Replay;
  readonly firstTick: number;
  /** First compared tick: that of the saved state from which the last seek started. */
  readonly sinceTick: number;
}

export interface TravelEvents {
  /** The run is about to change: the player must release what is held. */
  readonly onLeave: () => void;
  /** The player controls the run again, at another moment than before. */
  readonly onLive: () => void;
  /** A replay has begun, was sought in, or is no longer shown. */
  readonly onReplay: (shown: ShownReplay | undefined) => void;
}

/** The settings to return to when a replay is closed. */
type Before = Pick<Settings, 'scene' | 'bodies' | 'seed' | 'engine' | 'capacity' | 'paused'>;

export class TimeTravel {
  readonly #store: SettingsStore<Settings>;
  readonly #session: SimulationSession;
  readonly #events: TravelEvents;
  readonly #seeks = new LatestWins<number>((tick) => this.#seek(tick));
  #shown: ShownReplay | undefined;
  #before: Before | undefined;
  #rewind: Rewind | undefined;
  /** Ticks in which the current replay gets more bodies; the newest of them that was drawn. */
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

  /** The replay that is shown. A rewind does not count. */
  get shown(): ShownReplay | undefined {
    return this.#shown;
  }

  /** Shows a recording from its start. On failure it reports why, and nothing else changes. */
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
        await this.#session.frameHold.during('Loading', async () => {
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

  /** Seeks in the current replay. If requests come too fast, the latest wins. */
  seek(tick: number): void {
    this.#seeks.ask(tick).catch((error: unknown) => this.#session.reportError(error));
  }

  /** Resumes or pauses the replay. At its end it begins again. */
  async togglePlay(): Promise<void> {
    const shown = this.#shown;
    if (shown?.replay.state === 'ended') await this.#seeks.ask(shown.firstTick);
    this.#store.update({ paused: !this.#store.current.paused });
  }

  /** The player continues from the replay's current tick. */
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

  /** Returns to the previous scene, from its start. */
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
   * Rewinds the current run.
   *
   * @param tick Where to.
   * @param isLast The slider was released: the run continues from here.
   */
  async rewind(tick: number, isLast: boolean): Promise<void> {
    const { simulation } = this.#session;
    if (simulation === undefined || this.#shown !== undefined) return;
    if (this.#rewind === undefined) {
      this.#events.onLeave();
      this.#rewind = new Rewind(this.#session, tick);
    }
    const rewind = this.#rewind;
    let hasFailed = false;
    try {
      await rewind.to(tick);
      if (isLast && this.#rewind === rewind) await rewind.end();
    } catch (error) {
      hasFailed = true;
      this.#session.reportError(error);
    }
    // Something else may be shown by now.
    if ((isLast || hasFailed) && this.#rewind === rewind) this.#endRewind(simulation);
  }

  /** Call it in each frame: shots of a replay are drawn when their tick is shown. */
  frame(tick: number): void {
    const seen = this.#seenTick;
    this.#seenTick = tick;
    if (this.#shown === undefined || tick <= seen) return;
    if (!this.#shotTicks.some((shot) => shot > seen && shot <= tick)) return;
    this.#session.refresh('same-run').catch((error: unknown) => this.#session.reportError(error));
  }

  /** Failures are reported. */
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
      // The run is paused at its end: panel and address should agree.
      if (status.kind === 'replayed' && this.#shown !== undefined) {
        this.#store.update({ paused: true });
      }
      if (status.kind === 'restarted') this.#afterRestart();
      // If another scene is built instead, that has its own report.
      if (status.kind === 'replay-stopped' && status.error instanceof WorkerFailedError) {
        this.#session.reportError(new Error(status.error.message));
        this.#store.update({ paused: true });
        this.#afterRestart();
      }
    });
  }

  /** The player's own run is back, in another worker or in this one; the replay is gone. */
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
    await this.#session.frameHold.during(`Going to tick ${tick}`, async () => {
      try {
        await replay.seek(tick);
      } catch (error) {
        // Why it is no longer shown has its own report.
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
