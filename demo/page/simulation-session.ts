/** The running simulation and its scene: starts them, keeps them in line with the settings, restarts them. */
import {
  connect,
  SimulationDisposedError,
  WorkerFailedError,
  type SimulationHandle,
} from '../../src/render-main/index.js';
import type {
  DemoCommands,
  DemoEvents,
  DemoQueries,
  Fault,
  SceneDescription,
  SceneName,
  SceneRequest,
} from '../contract/scene-contract.js';
import { connectOptionsOf } from './connect-options.js';
import type { LoadingStage } from './loading-screen.js';
import type { SettingName, Settings } from './settings.js';
import type { SettingsStore } from '../../site/common/settings-store.js';
import { createWorker, runOnThisPage } from './simulation-worker.js';

export type DemoSimulation = SimulationHandle<DemoCommands, DemoEvents, DemoQueries>;

declare global {
  /** For the console: `betwixt.stats()`. There from when the worker runs; a restart replaces it. */
  var betwixt: DemoSimulation;
}

/**
 * How a description came about:
 * - `built`: another scene was built, and the run starts over
 * - `moved`: the run was taken to a state that need not be of this scene
 * - `same-run`: the scene goes on at another tick of its run; only shots are more or fewer
 */
export type SceneChange = 'built' | 'moved' | 'same-run';
export type SceneListener = (description: SceneDescription, change: SceneChange) => void;

export interface SessionEvents {
  /** The start has come to a stage. */
  readonly onStage: (stage: LoadingStage) => void;
  /** Something that takes its time goes on: what, or undefined when it has ended. */
  readonly onBusy: (work: string | undefined) => void;
  /** A command failed; what runs goes on. */
  readonly onCommandError: (error: unknown) => void;
  /** There is no simulation any more, or none came about. */
  readonly onFailure: (error: unknown) => void;
}

/** What only a start can set. */
const SET_BY_START: readonly SettingName[] = ['engine', 'capacity', 'stepper'];

export class SimulationSession {
  readonly #store: SettingsStore<Settings>;
  readonly #events: SessionEvents;
  readonly #sceneListeners: SceneListener[] = [];
  readonly #startListeners: ((simulation: DemoSimulation) => void)[] = [];
  readonly #whenDrawn: (() => void)[] = [];
  #simulation: DemoSimulation | undefined;
  /** What is asked for, and what was built last. */
  #wanted: SceneRequest | undefined;
  #built: SceneRequest | undefined;
  #holds = 0;
  #isSwitching = false;

  constructor(store: SettingsStore<Settings>, events: SessionEvents) {
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

  /** The scene that was built last, or that the run was taken to. */
  get scene(): SceneRequest | undefined {
    return this.#built;
  }

  /** The picture is to stay as it is: what it would show now does not fit the scene that is drawn. */
  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /** @param listener Called with everything that is to be drawn from now on. */
  onScene(listener: SceneListener): void {
    this.#sceneListeners.push(listener);
  }

  /** @param listener Called with every simulation that was started. One outlives the workers that it restarts. */
  onStart(listener: (simulation: DemoSimulation) => void): void {
    this.#startListeners.push(listener);
  }

  /** Starts the worker and builds the scene. Failures are told by the events; it never rejects. */
  async start(): Promise<void> {
    const { onStage, onFailure } = this.#events;
    const settings = this.#store.current;
    onStage('worker');
    let isFirst = true;
    try {
      this.#simulation = await connect<{
        commands: DemoCommands;
        events: DemoEvents;
        queries: DemoQueries;
      }>((transport) => {
        if (transport === 'local') {
          onStage('engine');
          return runOnThisPage(settings.engine);
        }
        // One that takes the place of a worker that failed: the page goes on as it is.
        const onScript = isFirst ? () => onStage('engine') : undefined;
        isFirst = false;
        return createWorker(settings.engine, onScript);
      }, connectOptionsOf(settings));
    } catch (error) {
      onFailure(error);
      return;
    }
    this.#simulation.on('status', (status) => {
      if (status.kind === 'failed') onFailure(status.error);
    });
    globalThis.betwixt = this.#simulation;
    for (const listener of this.#startListeners) listener(this.#simulation);
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

  /** As {@link restart}, with other settings. */
  async restartWith(patch: Partial<Settings>): Promise<void> {
    this.#isSwitching = true;
    this.#store.update(patch);
    this.#isSwitching = false;
    await this.restart();
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
    try {
      await simulation.pause();
      await this.hold('Building the scene', async () => {
        // Else its inputs would go on into the new scene.
        await simulation.endReplay();
        const description = await simulation.queries.loadScene(request);
        // Somebody may have asked for another one meanwhile.
        if (!isCurrent()) return;
        this.#built = request;
        this.#tellScene(description, 'built');
      });
      if (!isCurrent()) return;
      await this.#nextFrame();
      if (!isCurrent()) return;
      simulation.resetStats();
    } catch (error) {
      if (isCurrent()) this.#goBack();
      this.tell(error);
    }
    // A later request that is still under way does the rest.
    if (!isCurrent() && this.#wanted !== this.#built) return;
    if (!this.#store.current.paused) this.#call(simulation.resume());
  }

  /**
   * Leaves the picture as it is while something goes on, which must not wait for a frame itself.
   *
   * @param work What goes on, for whoever waits.
   */
  async hold<T>(work: string, run: () => Promise<T>): Promise<T> {
    this.#holds += 1;
    this.#events.onBusy(work);
    try {
      return await run();
    } finally {
      this.#holds -= 1;
      if (this.#holds === 0) this.#events.onBusy(undefined);
    }
  }

  /** Draws what there is now: the run was taken somewhere else. */
  async refresh(change: SceneChange): Promise<void> {
    const simulation = this.#simulation;
    const description = await simulation?.queries.describe();
    if (description === undefined || simulation !== this.#simulation) return;
    this.#tellScene(description, change);
  }

  /** The run is of this scene now: the settings say so too, and nothing is built. */
  adoptScene(request: SceneRequest): void {
    this.#wanted = request;
    this.#built = request;
    this.#store.update({ scene: request.name, bodies: request.bodies, seed: request.seed });
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
    if (simulation !== undefined) this.#call(simulation.queries.stall(durationMs));
  }

  /** Makes something go wrong, to see that the page copes. */
  fault(kind: Fault): void {
    const simulation = this.#simulation;
    if (simulation !== undefined) this.#call(simulation.queries.fault(kind));
  }

  /** Tells of a command that failed, unless the worker's end, which is told of by itself, is why. */
  tell(error: unknown): void {
    if (error instanceof WorkerFailedError || error instanceof SimulationDisposedError) return;
    this.#events.onCommandError(error);
  }

  #follow(settings: Settings, changed: ReadonlySet<SettingName>): void {
    const simulation = this.#simulation;
    if (simulation === undefined || this.#isSwitching) return;
    if (SET_BY_START.some((name) => changed.has(name))) {
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

  #tellScene(description: SceneDescription, change: SceneChange): void {
    for (const listener of this.#sceneListeners) listener(description, change);
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
