/**
 * Drives a world on the page: starts its run when the worker is ready, and follows its frames and jumps. What is built on
 * worlds, as `<Physics>` and `meshPhysics` are, gets the driver of a world by `driverOf`; applications have only the `World`.
 */
import type { BodyEvent } from '../../shared/events/simulation-event.js';
import { isDevelopment, whenLoaded } from '../../shared/util/development.js';
import type { Json } from '../../shared/util/json.js';
import type { Frame } from '../../render-main/frame/frame.js';
import type { BatchedHandle } from '../../render-main/api/simulation-handle.js';
import { type SimulationStatus, ofLibrary } from '../../render-main/session/simulation-status.js';
import { KIND_NAMES, type Kind } from '../shared/setting-tables.js';
import type { StepTiming } from '../shared/world-batch.js';
import { Geometries, reportUnlessOver, type WorldNames } from './batch-sender.js';
import type { BodyHandle } from './body-handle.js';
import { kindOf, type WorldItem } from './page-contents.js';
import { PageValues } from './page-values.js';
import { WorldResync } from './resync.js';
import type { SystemHandle } from './system-handle.js';
import type { VehicleItem } from './vehicle.js';
import type { WorldEventRelay } from './world-events.js';
import type { WorldHandle } from './world-handle.js';
import { removeItem } from './world-items.js';
import type { AnyItem, WorldLink } from './world-link.js';

const pose = new Float64Array(7);

export class WorldDriver {
  /** While paused: bodies that the page has put somewhere, and that no state has. */
  unshown: readonly BodyHandle[] = [];
  readonly #link: WorldLink;
  readonly #events: WorldEventRelay;
  readonly #resync: WorldResync;
  #wasReplaying = false;
  #isFollowing = false;
  /** The tick of the frame that was sampled last. */
  #sampledTick = Number.NaN;

  /** @param onAgreed Called when the page has what the worker has, after it has lost track. */
  constructor(link: WorldLink, events: WorldEventRelay, onAgreed: () => void) {
    this.#link = link;
    this.#events = events;
    this.#resync = new WorldResync(link, onAgreed);
    link.mayDiffer = () => {
      const simulation = link.simulation as (WorldHandle & BatchedHandle) | undefined;
      // The callback is called again after the next jump.
      if (this.#isFollowing) return false;
      return this.isElsewhere || simulation?.isMoving === true;
    };
    link.batches.onLost = () => {
      // No jump: what is lost would be lost again.
      if (link.simulation !== undefined) this.#resync.ask(link.simulation);
    };
  }

  /** Called when the page has what a jump of the run has led to. */
  set onFollowed(callback: () => void) {
    this.#resync.onFollowed = () => {
      this.#isFollowing = true;
      try {
        callback();
      } finally {
        this.#isFollowing = false;
      }
    };
  }

  /** Called when the page changes something, once in each turn. */
  set onChange(callback: () => void) {
    this.#link.batches.onChange = callback;
  }

  /** How messages name parts of an application. */
  set names(names: Partial<WorldNames>) {
    const { batches } = this.#link;
    batches.names = { ...batches.names, ...names };
  }

  /** Whether the page has changed something that the newest state does not have. */
  get isChangePending(): boolean {
    return this.#link.batches.isPending;
  }

  /** Whether the page has what a replay shows, or does not know yet what a jump has led to. */
  get isElsewhere(): boolean {
    return this.#wasReplaying || this.#link.isReplaying || this.#resync.isJumping;
  }

  /** Everything in the world, in the order in which it was made. */
  get items(): readonly AnyItem[] {
    const { contents } = this.#link;
    const items = KIND_NAMES.flatMap((kind) => Array.from(contents.all(kind).values()));
    return items.toSorted((a, b) => a.handle - b.handle) as WorldItem[] as AnyItem[];
  }

  /** Whether another page has made it, whose state or recording this one has. */
  isForeign(item: object): boolean {
    return this.#resync.isForeign(item);
  }

  /** All items that are made of an item, directly or not. */
  madeOf(item: WorldItem): readonly AnyItem[] {
    const all = [item];
    // The list grows in the loop.
    for (const one of all) {
      for (const kind of KIND_NAMES) all.push(...this.#link.contents.dependents(kind, one));
    }
    return all.slice(1) as readonly WorldItem[] as readonly AnyItem[];
  }

  /** Removes an item, of whatever kind it is. */
  discard(item: WorldItem): void {
    removeItem(this.#link, kindOf(item) as Kind, item, true);
  }

  /** Sends what was changed. @param callbacks What has changed it, if callbacks of steps have: see {@link BatchSender.flush}. */
  flush(callbacks?: StepTiming): void {
    this.#link.batches.flush(callbacks);
  }

  /** Takes note of the frame that has been sampled. */
  follow(simulation: WorldHandle, frame: Frame): void {
    const { batches } = this.#link;
    this.#link.frame = frame;
    this.#link.contents.all('vehicle').forEach(this.#noteFrame);
    // The run continues from where a replay was closed, which is no jump.
    const { isReplaying } = this.#link;
    if (this.#wasReplaying && !isReplaying) this.#resync.follow(simulation);
    this.#wasReplaying = isReplaying;
    const { shownNumber } = batches;
    // A recording may be of another run, with other batches.
    const lastBatch = isReplaying ? 0 : PageValues.lastBatchOf(frame);
    batches.confirmUntil(frame.newestTick, lastBatch);
    if (frame.newestTick !== this.#sampledTick || shownNumber !== batches.shownNumber) {
      this.#sampledTick = frame.newestTick;
      this.#link.noteNewPoses();
    }
    if (frame.paused && !isReplaying && this.isChangePending) this.#showPlaced(frame);
    else if (this.unshown.length > 0) this.unshown = [];
  }

  /** Made once: a function made in `follow` would be garbage of each frame. */
  readonly #noteFrame = (vehicle: WorldItem): void => {
    if (this.#link.frame !== undefined) (vehicle as VehicleItem).noteFrame(this.#link.frame);
  };

  /** No tick comes that would show where the page has put bodies. */
  #showPlaced(frame: Frame): void {
    const unshown: BodyHandle[] = [];
    for (const body of this.#link.contents.all('body').values() as Iterable<BodyHandle>) {
      if (!body.isPlaced) continue;
      const { id } = body;
      if (id !== undefined && frame.newest(id, pose) !== undefined) {
        body.readPose(pose);
        frame.place(id, pose);
      } else unshown.push(body);
    }
    this.unshown = unshown;
  }

  /**
   * Starts the run.
   *
   * @param resumes Whether it begins as soon as the worker is ready.
   * @returns What `World.ready` is.
   */
  async start(connected: Promise<WorldHandle>, resumes: boolean): Promise<WorldHandle> {
    const link = this.#link;
    const simulation = await connected;
    try {
      if (!link.systems.isKnown) await this.#learnSystems(simulation);
      link.geometries = new Geometries(await simulation.openAssets());
      await link.engineMade;
    } catch (error) {
      await simulation.dispose();
      throw error;
    }
    this.#begin(simulation, link.geometries);
    // Not before: the first tick has what was created until now, however long the worker took to load.
    if (resumes) simulation.resume().catch((error: unknown) => reportUnlessOver(simulation, error));
    return simulation;
  }

  /** @throws Error if the script runs no world. @throws RangeError if one was created that the worker script does not have. */
  async #learnSystems(simulation: WorldHandle): Promise<void> {
    const { contents, systems } = this.#link;
    if (simulation.queries.systems === undefined) {
      throw new Error(
        'the worker script has to call runWorld(): one with runSimulation() is for connect',
      );
    }
    systems.learn(await simulation.queries.systems());
    for (const { name } of contents.all('system').values() as Iterable<SystemHandle>) {
      systems.require(name);
    }
  }

  #begin(simulation: WorldHandle, geometries: Geometries): void {
    const link = this.#link;
    const resync = this.#resync;
    link.simulation = simulation;
    const onStatus = ({ kind }: SimulationStatus) => {
      if (['jumped', 'restarted', 'replaced'].includes(kind)) resync.follow(simulation);
      // The worker's script may be another one.
      if (kind === 'replaced') {
        simulation.queries
          .systems()
          .then((names) => link.systems.learn(names))
          .catch((error: unknown) => reportUnlessOver(simulation, error));
      }
    };
    const nameOf = (tag: Json) =>
      typeof tag === 'number' ? link.batches.names.nameOf('body', tag) : undefined;
    simulation.on('status', ofLibrary(onStatus, nameOf));
    if (isDevelopment) {
      whenLoaded(import('./world-warnings.js'), ({ watchWorld }) =>
        watchWorld(simulation, link, this.#events),
      );
    }
    // The answer to a batch that waits for its tick has no ids.
    const noteBody = ({ id, tag }: BodyEvent<number>): void => {
      if (link.ids.idOf(tag) === undefined) link.noteIds([tag, id]);
    };
    simulation.on('spawn', noteBody, { when: 'now' });
    // A body that neither the page nor a jump has made is of a recording that is shown.
    simulation.on('spawn', ({ id, tag }) => {
      if (resync.noteSpawned(tag)) resync.changeElsewhere(simulation);
      if (link.bodyOf(tag) !== undefined) link.ids.set(tag, id);
      link.noteNewPoses();
    });
    simulation.on('despawn', ({ id, tag }) => {
      if (link.ids.idOf(tag) === id) link.ids.delete(tag);
      if (link.bodyOf(tag) !== undefined) resync.changeElsewhere(simulation);
    });
    this.#events.start(simulation);
    link.batches.start(simulation, geometries);
  }
}
