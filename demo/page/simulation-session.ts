/**
 * The running simulation and its scene: starts them, keeps them in line with the settings, restarts
 * them.
 */
import { SimulationDisposedError, WorkerFailedError } from '../../src/render-main/index.js';
import type {
  Fault,
  SceneDescription,
  SceneName,
  SceneRequest,
} from '../contract/scene-contract.js';
import { closeReplay, startSimulation, type DemoSimulation } from './start-simulation.js';
import type { LoadingStage } from './loading-screen.js';
import { FrameHold } from './frame-hold.js';
import type { SettingName, Settings } from './settings.js';
import type { SettingsStore } from '../../site/settings-store.js';
import { Turns } from './turns.js';

/**
 * Why a description changed:
 * - `built`: another scene was built, and the run starts over
 * - `moved`: the run was taken to a state that may be of another scene
 * - `same-run`: the scene continues at another tick of its run; only the number of shots differs
 */
export type SceneChange = 'built' | 'moved' | 'same-run';
export type SceneListener = (description: SceneDescription, change: SceneChange) => void;

export interface SessionEvents {
  /** The start has reached a stage. */
  readonly onStage: (stage: LoadingStage) => void;
  /** Called with the name of work that takes a while, and with undefined when it has ended. */
  readonly onBusy: (work: string | undefined) => void;
  /** A command failed; the simulation keeps running. */
  readonly onCommandError: (error: unknown) => void;
  /** The simulation has ended, or could not start. */
  readonly onFailure: (error: unknown) => void;
  /** A simulation was started; undefined: it is about to be disposed. */
  readonly onSimulation: (simulation: DemoSimulation | undefined) => void;
}

/** Actions within a turn, which must not wait for another turn. */
export interface SessionTurn {
  /** As {@link SimulationSession.restart}, with other settings. */
  restartWith(patch: Partial<Settings>): Promise<void>;
  /** As {@link SimulationSession.loadScene}. */
  loadScene(): Promise<void>;
}

export class SimulationSession {
  /** Held while the next frame would not fit the scene that is drawn. */
  readonly frameHold: FrameHold;
  readonly #store: SettingsStore<Settings>;
  readonly #events: SessionEvents;
  readonly #sceneListeners: SceneListener[] = [];
  readonly #startListeners: ((simulation: DemoSimulation) => void)[] = [];
  #simulation: DemoSimulation | undefined;
  /** The requested scene, and the one that was built last. */
  #wanted: SceneRequest | undefined;
  #built: SceneRequest | undefined;
  readonly #turns = new Turns();
  readonly #turn: SessionTurn = {
    restartWith: (patch) => this.#restartWith(patch),
    loadScene: () => this.#build(this.#ask()),
  };
  #restarts = 0;
  #isSwitching = false;

  constructor(store: SettingsStore<Settings>, events: SessionEvents) {
    this.#store = store;
    this.#events = events;
    this.frameHold = new FrameHold(events.onBusy);
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

  /** @param listener Called with everything to draw from now on. */
  onScene(listener: SceneListener): void {
    this.#sceneListeners.push(listener);
  }

  /**
   * @param listener Called with every simulation that was started. A simulation survives restarts
   * of its worker.
   */
  onStart(listener: (simulation: DemoSimulation) => void): void {
    this.#startListeners.push(listener);
  }

  /**
   * Takes the run elsewhere, or starts another one, exclusively: other requests wait.
   *
   * @param run Waits for no other turn. It rejects soon when the simulation is restarted in the
   * meantime, as its calls do.
   */
  inTurn<T>(run: (turn: SessionTurn) => Promise<T>): Promise<T> {
    return this.#turns.take(() => run(this.#turn));
  }

  /**
   * Starts the worker and builds the scene. Failures are reported by events.
   *
   * @param drawing The worker starts at once, and the rest waits for it. Rejects if that does.
   */
  start(drawing: Promise<void>): Promise<void> {
    return this.inTurn(() => this.#start(drawing));
  }

  async #start(drawing?: Promise<void>): Promise<void> {
    const { onStage, onFailure } = this.#events;
    const settings = this.#store.current;
    onStage('worker');
    let simulation: DemoSimulation;
    try {
      simulation = await startSimulation(settings, () => onStage('engine'));
    } catch (error) {
      onFailure(error);
      return;
    }
    this.#simulation = simulation;
    simulation.on('status', (status) => {
      if (status.kind === 'failed') onFailure(status.error);
    });
    await drawing;
    // Another one has been started since.
    if (simulation !== this.#simulation) return;
    this.#events.onSimulation(simulation);
    globalThis.betwixt = simulation;
    for (const listener of this.#startListeners) listener(simulation);
    onStage('scene');
    const request = this.#ask();
    this.#followSince(settings);
    await this.#build(request);
  }

  /** Settings that changed while it started. */
  #followSince(before: Settings): void {
    const { current } = this.#store;
    const names = Object.keys(current) as SettingName[];
    this.#follow(current, new Set(names.filter((name) => current[name] !== before[name])));
  }

  /**
   * Terminates the worker, whatever state it is in, and starts another with the current settings.
   */
  async restart(): Promise<void> {
    this.#restarts += 1;
    const restart = this.#restarts;
    // Immediately: the current turn may be waiting for a worker that hangs.
    const ending = this.#end();
    await this.inTurn(async () => {
      await ending;
      // Another one has been requested since.
      if (restart === this.#restarts) await this.#restart();
    });
  }

  async #restart(): Promise<void> {
    await this.#end();
    await this.#start();
  }

  async #end(): Promise<void> {
    const ended = this.#simulation;
    this.#simulation = undefined;
    this.#built = undefined;
    this.#events.onSimulation(undefined);
    // There may be no more frames.
    this.frameHold.frameDrawn();
    await ended?.dispose();
  }

  async #restartWith(patch: Partial<Settings>): Promise<void> {
    this.#isSwitching = true;
    this.#store.update(patch);
    this.#isSwitching = false;
    await this.#restart();
  }

  /**
   * Builds the configured scene from scratch, unless another one is requested first. A scene that
   * fails leaves the last one running and configured.
   *
   * The simulation is paused until the first frame of the scene was drawn: the time for building
   * and preparing should not count as missed time, and the user should see the start.
   */
  loadScene(): Promise<void> {
    const request = this.#ask();
    return this.inTurn(() => this.#build(request));
  }

  #ask(): SceneRequest {
    const { scene, bodies, seed } = this.#store.current;
    this.#wanted = { name: scene, bodies, seed };
    return this.#wanted;
  }

  async #build(request: SceneRequest): Promise<void> {
    const simulation = this.#simulation;
    const isCurrent = (): boolean => request === this.#wanted && simulation === this.#simulation;
    if (simulation === undefined || !isCurrent()) return;
    try {
      await simulation.pause();
      await this.frameHold.during('Building the scene', async () => {
        // Otherwise its inputs would continue into the new scene.
        await closeReplay(simulation);
        const description = await simulation.queries.loadScene(request);
        // Another scene may have been requested in the meantime.
        if (!isCurrent()) return;
        this.#built = request;
        this.#notifyScene(description, 'built');
      });
      if (!isCurrent()) return;
      await this.frameHold.nextFrame();
      if (!isCurrent()) return;
      simulation.resetStats();
    } catch (error) {
      if (isCurrent()) this.#goBack();
      this.reportError(error);
    }
    // A later request that is still in progress does the rest.
    if (!isCurrent() && this.#wanted !== this.#built) return;
    if (!this.#store.current.paused) this.#call(simulation.resume());
  }

  /** Draws the current state: the run was taken somewhere else. */
  async refresh(change: SceneChange): Promise<void> {
    const simulation = this.#simulation;
    const description = await simulation?.queries.describe();
    if (description === undefined || simulation !== this.#simulation) return;
    this.#notifyScene(description, change);
  }

  /** The run is now of this scene: sets the settings accordingly without building it. */
  adoptScene(request: SceneRequest): void {
    this.#wanted = request;
    this.#built = request;
    this.#store.update({ scene: request.name, bodies: request.bodies, seed: request.seed });
  }

  /** Runs one tick. Pauses first when it runs. */
  step(): void {
    const simulation = this.#simulation;
    if (simulation === undefined) return;
    this.#store.update({ paused: true });
    // Calls are answered in order, so the pause takes effect before the step.
    this.#call(simulation.step());
  }

  /** Blocks the worker, as a step that takes too long would. */
  stallWorker(durationMs: number): void {
    const simulation = this.#simulation;
    if (simulation !== undefined) this.#call(simulation.queries.stall(durationMs));
  }

  /** Injects a fault, to see that the page copes. */
  fault(kind: Fault): void {
    const simulation = this.#simulation;
    if (simulation !== undefined) this.#call(simulation.queries.fault(kind));
  }

  /**
   * Reports a command that failed, unless the cause is the worker's end, which has its own report.
   */
  reportError(error: unknown): void {
    if (error instanceof WorkerFailedError || error instanceof SimulationDisposedError) return;
    this.#events.onCommandError(error);
  }

  #follow(settings: Settings, changed: ReadonlySet<SettingName>): void {
    const simulation = this.#simulation;
    if (simulation === undefined || this.#isSwitching) return;
    if (changed.has('tickHz')) this.#call(simulation.setTickRate(settings.tickHz));
    if (changed.has('timeScale')) this.#call(simulation.setTimeScale(settings.timeScale));
    if (changed.has('interpolation')) simulation.setInterpolation(settings.interpolation);
    if (changed.has('paused')) {
      this.#call(settings.paused ? simulation.pause() : simulation.resume());
    }
    if (!isSameScene(settings, this.#wanted)) void this.loadScene();
  }

  /** Resets the settings to what is shown. */
  #goBack(): void {
    const built = this.#built;
    if (built === undefined) return;
    this.#wanted = built;
    this.#store.update({ scene: built.name as SceneName, bodies: built.bodies, seed: built.seed });
  }

  #notifyScene(description: SceneDescription, change: SceneChange): void {
    for (const listener of this.#sceneListeners) listener(description, change);
  }

  #call(pending: Promise<unknown>): void {
    pending.catch((error: unknown) => this.reportError(error));
  }
}

function isSameScene(settings: Settings, request: SceneRequest | undefined): boolean {
  return (
    settings.scene === request?.name &&
    settings.bodies === request.bodies &&
    settings.seed === request.seed
  );
}
