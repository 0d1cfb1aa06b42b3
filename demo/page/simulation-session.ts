/** The running simulation and its scene: starts them, keeps them in line with the settings, restarts them. */
import {
  connect,
  SimulationDisposedError,
  WorkerFailedError,
  type SimulationHandle,
} from '../../src/render-main/index.js';
import type {
  DemoCommands,
  DriveInput,
  SceneDescription,
  SceneName,
  SceneRequest,
} from '../contract/scene-contract.js';
import type { LoadingStage } from './loading-screen.js';
import type { SettingName, Settings } from './settings.js';
import type { SettingsStore } from './settings-store.js';
import { createWorker } from './simulation-worker.js';

export type DemoSimulation = SimulationHandle<DemoCommands>;

declare global {
  /** For the console: `betwixt.stats()`. There from when the worker runs; a restart replaces it. */
  var betwixt: DemoSimulation;
}

export interface SessionEvents {
  /** The start has come to a stage. */
  readonly onStage: (stage: LoadingStage) => void;
  /** A scene is being built, or no more. */
  readonly onBusy: (isBusy: boolean) => void;
  /** A command failed; what runs goes on. */
  readonly onCommandError: (error: unknown) => void;
  /** There is no simulation any more, or none came about. */
  readonly onFailure: (error: unknown) => void;
}

export class SimulationSession {
  readonly #store: SettingsStore;
  readonly #events: SessionEvents;
  readonly #sceneListeners: ((description: SceneDescription) => void)[] = [];
  readonly #whenDrawn: (() => void)[] = [];
  #simulation: DemoSimulation | undefined;
  /** What is asked for, and what was built last. */
  #wanted: SceneRequest | undefined;
  #built: SceneRequest | undefined;

  constructor(store: SettingsStore, events: SessionEvents) {
    this.#store = store;
    this.#events = events;
    store.onChange((settings, changed) => this.#follow(settings, changed));
  }

  /** Undefined until it runs. */
  get simulation(): DemoSimulation | undefined {
    return this.#simulation;
  }

  /** A scene has been built since the worker started. */
  get hasScene(): boolean {
    return this.#built !== undefined;
  }

  /** @param listener Called with every scene that was built: draw this from now on. */
  onScene(listener: (description: SceneDescription) => void): void {
    this.#sceneListeners.push(listener);
  }

  /** Starts the worker and builds the scene. Failures are told by the events; it never rejects. */
  async start(): Promise<void> {
    const { onStage, onFailure } = this.#events;
    const settings = this.#store.current;
    onStage('worker');
    try {
      this.#simulation = await connect<{ commands: DemoCommands }>(
        () => createWorker(settings.engine, () => onStage('engine')),
        {
          tickRateHz: settings.tickHz,
          timeScale: settings.timeScale,
          stepper: { kind: settings.stepper },
          capacity: settings.capacity,
          interpolation: settings.interpolation,
          // It starts when its scene is there and drawn.
          startPaused: true,
          onFailure,
        },
      );
    } catch (error) {
      onFailure(error);
      return;
    }
    globalThis.betwixt = this.#simulation;
    onStage('scene');
    await this.loadScene();
  }

  /** Ends the worker, whatever state it is in, and starts another with the settings of now. */
  async restart(): Promise<void> {
    const ended = this.#simulation;
    this.#simulation = undefined;
    this.#built = undefined;
    await ended?.dispose();
    await this.start();
  }

  /**
   * Builds the scene that is set from nothing. A scene that fails leaves the last one running and set.
   *
   * The simulation stands still until the first frame of the scene was drawn: neither building nor
   * preparing the drawing is time that it should have run, and its start is not missed.
   */
  async loadScene(): Promise<void> {
    const simulation = this.#simulation;
    if (simulation === undefined) return;
    const { scene, bodies, seed } = this.#store.current;
    const request = { name: scene, bodies, seed };
    const isCurrent = (): boolean => request === this.#wanted && simulation === this.#simulation;
    this.#wanted = request;
    this.#events.onBusy(true);
    try {
      await simulation.pause();
      const description = await simulation.commands.loadScene(request);
      // Somebody may have asked for another one meanwhile.
      if (!isCurrent()) return;
      this.#built = request;
      for (const listener of this.#sceneListeners) listener(description);
      await this.#nextFrame();
      if (!isCurrent()) return;
      simulation.resetStats();
    } catch (error) {
      if (isCurrent()) this.#goBack();
      this.tell(error);
    }
    // A later request that is still under way does the rest.
    if (!isCurrent() && this.#wanted !== this.#built) return;
    this.#events.onBusy(false);
    if (!this.#store.current.paused) this.#call(simulation.resume());
  }

  /** To be called after each frame that was drawn. */
  frameDrawn(): void {
    for (const resolve of this.#whenDrawn.splice(0)) resolve();
  }

  /** Runs one tick. Pauses first when it runs. */
  step(): void {
    const simulation = this.#simulation;
    if (simulation === undefined) return;
    this.#store.update({ paused: true });
    // Calls are answered in order, so the pause has come before the step.
    this.#call(simulation.step());
  }

  /** Holds the worker busy, as a step that takes too long would. */
  stallWorker(durationMs: number): void {
    const simulation = this.#simulation;
    if (simulation !== undefined) this.#call(simulation.commands.stall(durationMs));
  }

  drive(input: DriveInput): void {
    const simulation = this.#simulation;
    if (simulation !== undefined) this.#call(simulation.commands.drive(input));
  }

  /** Tells of a command that failed, unless the worker's end, which is told of by itself, is why. */
  tell(error: unknown): void {
    if (error instanceof WorkerFailedError || error instanceof SimulationDisposedError) return;
    this.#events.onCommandError(error);
  }

  #follow(settings: Settings, changed: ReadonlySet<SettingName>): void {
    const simulation = this.#simulation;
    if (simulation === undefined) return;
    if (changed.has('engine') || changed.has('capacity') || changed.has('stepper')) {
      void this.restart();
      return;
    }
    if (changed.has('tickHz')) this.#call(simulation.setTickRate(settings.tickHz));
    if (changed.has('timeScale')) this.#call(simulation.setTimeScale(settings.timeScale));
    if (changed.has('interpolation')) simulation.setInterpolation(settings.interpolation);
    if (changed.has('paused')) {
      this.#call(settings.paused ? simulation.pause() : simulation.resume());
    }
    if (!isSameScene(settings, this.#wanted)) void this.loadScene();
  }

  /** The settings say again what is shown. */
  #goBack(): void {
    const built = this.#built;
    if (built === undefined) return;
    this.#wanted = built;
    this.#store.update({ scene: built.name as SceneName, bodies: built.bodies, seed: built.seed });
  }

  #nextFrame(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenDrawn.push(resolve);
    });
  }

  #call(pending: Promise<unknown>): void {
    pending.catch((error: unknown) => this.tell(error));
  }
}

function isSameScene(settings: Settings, request: SceneRequest | undefined): boolean {
  return (
    settings.scene === request?.name &&
    settings.bodies === request.bodies &&
    settings.seed === request.seed
  );
}
