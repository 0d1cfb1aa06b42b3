/** One state, kept in memory for going back. */
import type { SavedState } from '../../src/shared/index.js';
import type { SceneRequest } from '../contract/scene-contract.js';
import type { Settings } from './settings.js';
import type { SettingsStore } from '../../site/common/settings-store.js';
import type { SessionTurn, SimulationSession } from './simulation-session.js';
import { closeReplay } from './start-simulation.js';

export interface QuickSaveEvents {
  /** The run is about to change: the player must release what is held. */
  readonly onLeave: () => void;
  /** The run is at the state, and its scene is about to be drawn. */
  readonly onLoaded: () => void;
  /** The player controls the run again, at another moment than before. */
  readonly onLive: () => void;
}

/** A state, and the settings it needs. */
interface Kept extends Pick<Settings, 'engine' | 'capacity'> {
  readonly state: SavedState;
  readonly scene: SceneRequest;
}

export class QuickSave {
  readonly #store: SettingsStore<Settings>;
  readonly #session: SimulationSession;
  readonly #events: QuickSaveEvents;
  #kept: Kept | undefined;

  constructor(store: SettingsStore<Settings>, session: SimulationSession, events: QuickSaveEvents) {
    this.#store = store;
    this.#session = session;
    this.#events = events;
  }

  /**
   * Keeps the current state, replacing an earlier one.
   *
   * @returns Its tick; undefined if it failed, which was reported.
   */
  save(): Promise<number | undefined> {
    return this.#inTurn(async () => {
      const { simulation, scene } = this.#session;
      if (simulation === undefined || scene === undefined) return undefined;
      const { engine, capacity } = this.#store.current;
      const state = await simulation.save();
      this.#kept = { state, scene, engine, capacity };
      return state.tick;
    });
  }

  /**
   * Restores the saved state.
   *
   * @returns Its tick; undefined if it failed, which was reported.
   */
  load(): Promise<number | undefined> {
    return this.#inTurn(async (turn) => {
      const kept = this.#kept;
      if (kept === undefined)
        throw new Error('Nothing has been saved yet. Press K to save and L to load.');
      this.#events.onLeave();
      await this.#switchTo(kept, turn);
      try {
        await this.#session.frameHold.during('Loading', () => this.#restore(kept));
        this.#events.onLive();
      } finally {
        if (!this.#store.current.paused) await this.#session.simulation?.resume();
      }
      return kept.state.tick;
    });
  }

  /** @returns Undefined if it failed, which was reported. */
  async #inTurn<T>(run: (turn: SessionTurn) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#session.inTurn(run);
    } catch (error) {
      this.#session.reportError(error);
      return undefined;
    }
  }

  /** The engine's build and the room for bodies belong to the state. */
  async #switchTo({ engine, capacity }: Kept, turn: SessionTurn): Promise<void> {
    const { current } = this.#store;
    if (engine === current.engine && capacity === current.capacity) return;
    // A restart draws its scene, so it must not run while the frame is held.
    await turn.restartWith({ engine, capacity });
  }

  async #restore({ state, scene }: Kept): Promise<void> {
    const { simulation } = this.#session;
    if (simulation === undefined) return;
    if (!isSameScene(scene, this.#session.scene)) {
      // The recording continues from the state, and names the scene that the run was built from.
      await simulation.pause();
      await closeReplay(simulation);
      await simulation.queries.loadScene(scene);
    }
    await simulation.restore(state);
    this.#events.onLoaded();
    this.#session.adoptScene(scene);
    await this.#session.refresh('moved');
  }
}

function isSameScene(a: SceneRequest, b: SceneRequest | undefined): boolean {
  return a.name === b?.name && a.bodies === b.bodies && a.seed === b.seed;
}
