/**
 * The page's assets: sent to each worker once, and kept for recordings and later workers.
 *
 *     add ──▶ kept ──▶ message ─────────────────────▶ worker
 *      └ name ▶ command ▶ queue: number of assets, command ▶ taken when that many have arrived
 *
 * Assets are numbered in the order in which they were added. A message may be later than what follows it in a queue of
 * shared memory: the worker may be in the middle of several ticks, and receives messages only between passes.
 */
import { transfer } from 'comlink';
import {
  assetBytes,
  assetName,
  type Asset,
  assetNamesIn,
  type AssetName,
} from '../../shared/recording/asset.js';
import {
  assetsOfEntry,
  type RecordingEntry,
  type RunDescription,
} from '../../shared/recording/recording.js';
import type { RecordedAssets } from '../recording/run-recorder.js';
import type { ControlClient } from '../worker/control-client.js';

/** Gives bytes to the worker, for commands that name them. */
export interface AssetStore {
  /**
   * Copies bytes and sends the copy to the worker, unless it has equal ones already. A command or query that is called
   * after this finds them there as `context.assets.get(name)`, on whatever tick it is applied and whichever worker applies it.
   *
   * They are kept until the simulation is disposed: once by the worker, and once by the page for recordings and later
   * workers, unless the run is not recorded.
   *
   * @param contents Any typed array or DataView, of at most 256 MiB. Its bytes count, and not its type.
   * @returns Its name, which the contents determine: an argument of a command, or part of one.
   * @throws TypeError for anything else; RangeError if it is larger.
   */
  add(contents: ArrayBufferView): AssetName;
  /**
   * The contents of an asset that was added, or that a shown recording has brought, as a copy.
   *
   * @throws RangeError if there is none, or if it is not kept because the run is not recorded.
   */
  get(name: AssetName): ArrayBuffer;
}

export class PageAssets implements AssetStore, RecordedAssets {
  readonly #isKeeping: boolean;
  readonly #workerInUse: () => ControlClient;
  /** A microtask is scheduled that sends the assets added since. */
  #isScheduled = false;
  /** In the order in which they were added. Without bytes if they need not be kept and were sent. */
  readonly #held = new Map<AssetName, Uint8Array | undefined>();
  /** How many were sent to each worker. */
  readonly #sent = new WeakMap<ControlClient, number>();
  /** The assets that the recording needs. */
  #needed = new Set<AssetName>();
  #neededBytes = 0;

  /**
   * @param isKeeping For recordings and later workers.
   * @param workerInUse Returns the worker that runs.
   */
  constructor(isKeeping: boolean, workerInUse: () => ControlClient) {
    this.#isKeeping = isKeeping;
    this.#workerInUse = workerInUse;
  }

  add(contents: ArrayBufferView): AssetName {
    const given = assetBytes('contents', contents);
    // Another thread may change shared memory between hashing and copying.
    const bytes = given.buffer instanceof ArrayBuffer ? given : new Uint8Array(given);
    const name = assetName(bytes);
    if (!this.#held.has(name)) this.#hold(name, bytes === given ? new Uint8Array(given) : bytes);
    return name;
  }

  get(name: AssetName): ArrayBuffer {
    const bytes = this.#held.get(name);
    if (bytes !== undefined) return new Uint8Array(bytes).buffer;
    throw new RangeError(
      this.#held.has(name)
        ? `the asset "${name}" is in the worker, and not kept here: the run is not recorded`
        : `there is no asset "${name}"`,
    );
  }

  has(name: AssetName): boolean {
    return this.#held.has(name);
  }

  /** Adds the assets of a recording, which was checked. */
  addRecorded(assets: readonly Asset[] = []): void {
    for (const { name, bytes } of assets) {
      if (!this.#held.has(name)) this.#hold(name, this.#isKeeping ? bytes : new Uint8Array(bytes));
    }
  }

  /**
   * Sends a worker the assets that it does not have yet: the one that runs, unless another is given.
   *
   * @returns The number of the newest asset.
   */
  readonly send = (worker = this.#workerInUse()): number => {
    this.#isScheduled = false;
    const { size } = this.#held;
    const before = this.#sent.get(worker) ?? 0;
    if (before === size || worker.ended !== undefined) return size;
    this.#sent.set(worker, size);
    const assets = [...this.#held].slice(before).flatMap(([name, bytes]) =>
      // Workers follow each other only if the run is recorded.
      bytes === undefined ? [] : { name, bytes },
    );
    const buffers = assets.map(({ bytes }) => bytes.buffer as ArrayBuffer);
    if (!this.#isKeeping) for (const { name } of assets) this.#held.set(name, undefined);
    // If the worker ends first, the next one receives them.
    worker
      .call((remote) =>
        remote.addAssets(this.#isKeeping ? assets : transfer(assets, buffers), size),
      )
      .catch(() => {});
    return size;
  };

  get neededBytes(): number {
    return this.#neededBytes;
  }

  get needed(): readonly Asset[] {
    return [...this.#needed].flatMap((name) => {
      const bytes = this.#held.get(name);
      return bytes === undefined ? [] : { name, bytes };
    });
  }

  noteRun({ setup }: RunDescription): void {
    this.needOnly();
    this.#needThese(assetNamesIn(JSON.stringify(setup)));
  }

  noteEntry(entry: RecordingEntry): void {
    this.#needThese(assetsOfEntry(entry));
  }

  needOnly(assets: readonly Asset[] = []): void {
    this.#needed = new Set();
    this.#neededBytes = 0;
    this.#needThese(assets.map(({ name }) => name));
  }

  /** The recording begins at a state, which does not say what it needs. */
  needAll(): void {
    this.#needThese(this.#held.keys());
  }

  #needThese(names: Iterable<AssetName>): void {
    for (const name of names) {
      const bytes = this.#held.get(name);
      if (bytes === undefined || this.#needed.has(name)) continue;
      this.#needed.add(name);
      this.#neededBytes += bytes.length;
    }
  }

  #hold(name: AssetName, bytes: Uint8Array): void {
    this.#held.set(name, bytes);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Sent together at the end of this task, before any later call.
    queueMicrotask(this.send);
  }
}
