/**
 * The WebAssembly memory of an engine, which can be copied and put back: everything that the engine has, in one go.
 *
 * Rapier's packages do not give their memory away, so it is taken while the engine starts, out of the result of
 * `WebAssembly.instantiate` or `instantiateStreaming`. JavaScript owns some objects in it, such as worlds, event queues and
 * controllers, and frees them. An older memory does not have the newer ones, and has older ones that nothing owns any longer:
 *
 *     memory kept   ── A, B ──▶ put back: B is freed, which nothing owns
 *     since then    B freed, C made: refused, as long as C is there
 *
 * So the calls that make and free such objects are counted here. An object that the garbage collector frees is left in the memory
 * from the first return on: it may be of a time that has not been.
 *
 * A Rapier world keeps more in JavaScript, next to this memory: the objects of its bodies, colliders and joints, and its
 * gravity. Bodies and colliders have no memory for themselves, so one that was removed is valid again with the memory of an
 * earlier moment.
 */
import type { AnyCollider, AnyEventQueue, AnyWorld } from './any-rapier.js';

/** Makers of what JavaScript owns for longer than a call. */
const MAKER = /^raw\w+_new$|^rawdeserializedworld_take/;
/** Values: what makes one frees it again, or leaves it to the garbage collector. */
const VALUE =
  /^raw(?:vector|rotation|vhacd\w+|soft(?:body(?:builder|material)|recovery)\w*)_new$|_takeGravity$/;
const FREES = /^__wbg_raw\w+_free$/;
/** Each world has one pipeline. */
const FREES_PIPELINE = '__wbg_rawphysicspipeline_free';
/** How much memory may be lost by returns from a larger memory: what it has grown by is not used again. */
const MAX_LOST_BYTES = 2 ** 26;
/** Memory grows often, by little: copies are made somewhat larger, so that they can be used again. */
const ROOM_BYTES = 2 ** 18;

type Exports = Readonly<Record<string, unknown>>;
type Call = (...args: readonly number[]) => number;

/** An object of the engine that JavaScript owns. */
interface Owned {
  /** Name of the export that frees it. */
  readonly free: string;
}

/** A copy of an engine's memory. */
export interface MemoryCopy {
  /** Length of the memory. */
  readonly length: number;
  /** The objects that JavaScript owned, by pointer. */
  readonly owned: ReadonlyMap<number, Owned>;
  /** The memory above the stack. Some room may be left. */
  readonly content: Uint8Array;
}

export class EngineMemory {
  readonly #memory: WebAssembly.Memory;
  readonly #exports: Exports;
  /** The objects that JavaScript owns, by pointer. */
  readonly #owned = new Map<number, Owned>();
  /** A map of the owned objects for copies, until they change. */
  #shared: ReadonlyMap<number, Owned> | undefined;
  #hasReturned = false;
  #lostBytes = 0;

  constructor(exports: Exports) {
    this.#exports = exports;
    this.#memory = exports['memory'] as WebAssembly.Memory;
  }

  /** Length of the memory, in bytes. */
  get length(): number {
    return this.#memory.buffer.byteLength;
  }

  /** The whole memory. It is another one after the memory has grown, which any call of the engine may do. */
  get view(): DataView {
    return new DataView(this.#memory.buffer);
  }

  /** How many worlds the engine has. */
  get worlds(): number {
    let count = 0;
    for (const { free } of this.#owned.values()) if (free === FREES_PIPELINE) count += 1;
    return count;
  }

  /** The engine's exports, with calls that tell this object of what they make and free. */
  watched(): Exports {
    const watched = Object.create(this.#exports) as Record<string, unknown>;
    const define = (name: string, value: Call): void => {
      Object.defineProperty(watched, name, { value });
    };
    for (const [name, call] of Object.entries(this.#exports) as [string, Call][]) {
      if (FREES.test(name)) {
        define(name, (pointer = 0, isCollected = 0) => {
          if (isCollected !== 0 && this.#hasReturned) return 0;
          if (this.#owned.delete(pointer)) this.#shared = undefined;
          return call(pointer, isCollected);
        });
      } else if (MAKER.test(name) && !VALUE.test(name)) {
        const free = freeOf(name);
        define(name, (...args) => {
          const pointer = call(...args);
          this.#owned.set(pointer, { free });
          this.#shared = undefined;
          return pointer;
        });
      }
    }
    return watched;
  }

  /**
   * @param used A copy that is no longer needed: its memory is used again. New memory takes longer than the copy.
   * @throws RangeError if there is no memory for it.
   */
  copy(used?: MemoryCopy): MemoryCopy {
    const { length } = this;
    const from = this.#stackEnd;
    const content =
      used !== undefined && used.content.length >= length - from
        ? used.content
        : new Uint8Array(Math.ceil((length - from) / ROOM_BYTES) * ROOM_BYTES);
    content.set(new Uint8Array(this.#memory.buffer, from));
    this.#shared ??= new Map(this.#owned);
    return { length, owned: this.#shared, content };
  }

  /**
   * Whether {@link putBack} can return to a copy.
   *
   * @param released Pointers of what JavaScript will have freed by then.
   */
  canPutBack({ length, owned }: MemoryCopy, released: ReadonlySet<number>): boolean {
    if (this.#lostBytes + this.length - length > MAX_LOST_BYTES) return false;
    for (const [pointer, own] of this.#owned) {
      if (owned.get(pointer) !== own && !released.has(pointer)) return false;
    }
    return true;
  }

  /** Whether JavaScript owns the same objects as then. */
  ownsTheSame({ owned }: MemoryCopy): boolean {
    if (owned.size !== this.#owned.size) return false;
    for (const [pointer, own] of this.#owned) if (owned.get(pointer) !== own) return false;
    return true;
  }

  /** Everything is as it was then, except that what nothing owns any longer is freed. */
  putBack({ content, length, owned }: MemoryCopy): void {
    this.#lostBytes += this.length - length;
    this.#hasReturned = true;
    const from = this.#stackEnd;
    new Uint8Array(this.#memory.buffer).set(content.subarray(0, length - from), from);
    for (const [pointer, { free }] of owned) {
      if (!this.#owned.has(pointer)) (this.#exports[free] as Call)(pointer, 0);
    }
  }

  /** The stack grows down from here. Between two calls, nothing below is in use. */
  get #stackEnd(): number {
    const move = this.#exports['__wbindgen_add_to_stack_pointer'] as Call | undefined;
    return move?.(0) ?? 0;
  }
}

/** `rawdeserializedworld_takeBodies` gives what `__wbg_rawrigidbodyset_free` frees. */
const TAKEN: Readonly<Record<string, string>> = {
  Bodies: 'rigidbodyset',
  BroadPhase: 'broadphase',
  Colliders: 'colliderset',
  ImpulseJoints: 'impulsejointset',
  IntegrationParameters: 'integrationparameters',
  IslandManager: 'islandmanager',
  MultibodyJoints: 'multibodyjointset',
  NarrowPhase: 'narrowphase',
  SoftBodies: 'softbodyset',
};

function freeOf(maker: string): string {
  const [, taken] = maker.split('_take');
  const name = taken === undefined ? maker.slice('raw'.length, -'_new'.length) : TAKEN[taken];
  return `__wbg_raw${name}_free`;
}

/** One for all copies of this file in a thread: the engine of a package starts once, and shows its memory only then. */
const shared = globalThis as { 'betwixt:engine-memories'?: WeakMap<object, EngineMemory> };
const memories = (shared['betwixt:engine-memories'] ??= new WeakMap());

/** The memory of an engine that was started by {@link startWatched}; undefined for another one. */
export const memoryOf = (rapier: object): EngineMemory | undefined => memories.get(rapier);

const modules = new WeakMap<object, WebAssembly.Module>();

/** The WebAssembly of an engine that {@link startWatched} started, if it was compiled for it. */
export const moduleOf = (rapier: object): WebAssembly.Module | undefined => modules.get(rapier);

/** One engine after the other, so that each memory is known to be of the engine that starts. */
let last: Promise<unknown> = Promise.resolve();

/** Starts an engine, and remembers its memory. Without it, if the engine is built in another way. */
export function startWatched(rapier: { init(): Promise<void> }): Promise<void> {
  const started = last.then(() => start(rapier));
  last = started.catch(() => {});
  return started;
}

/** The package starts its WebAssembly from bytes, and a build with the plugin from a file. */
const STARTS = ['instantiate', 'instantiateStreaming'] as const;
type Start = (...args: unknown[]) => Promise<{
  readonly module?: WebAssembly.Module;
  readonly instance?: { readonly exports: Exports };
}>;

async function start(rapier: { init(): Promise<void> }): Promise<void> {
  const starts = WebAssembly as unknown as Record<(typeof STARTS)[number], Start>;
  const restores = STARTS.filter((name) => name in starts).map((name) => {
    const instantiate = starts[name];
    const watch: Start = async (...args) => {
      const result = await instantiate.apply(WebAssembly, args);
      // A module that is compiled already gives the instance alone.
      const instance = result instanceof WebAssembly.Instance ? result : result.instance;
      const exports: Exports | undefined = instance?.exports;
      // Something else of the application may start in the meantime.
      if (
        !(exports?.['memory'] instanceof WebAssembly.Memory) ||
        !('rawphysicspipeline_new' in exports)
      ) {
        return result;
      }
      const memory = new EngineMemory(exports);
      memories.set(rapier, memory);
      if (result.module !== undefined) modules.set(rapier, result.module);
      return { ...result, instance: { exports: memory.watched() } };
    };
    starts[name] = watch;
    return () => {
      if (starts[name] === watch) starts[name] = instantiate;
    };
  });
  try {
    await rapier.init();
  } finally {
    for (const restore of restores) restore();
  }
}

/** Rapier's list of objects by handle. */
interface Coarena {
  data: (object | null)[];
  size: number;
}

/** The field by which an object of Rapier owns memory of the engine. */
const POINTER = '__wbg_ptr';

/** The address of an object of Rapier that owns memory of the engine. */
export const pointerOf = (object: object): number | undefined =>
  (object as { readonly [POINTER]?: number })[POINTER];

/** Character, vehicle and PID controllers. */
interface Controller {
  free(): void;
}

/** Returns the lists to what they are now. Undefined: this version of Rapier keeps them in another way. */
export function keepLists(world: AnyWorld): (() => void) | undefined {
  const lists = listsOf(world);
  if (lists.length < MIN_LISTS) return undefined;
  const gravity = { ...world.gravity };
  const kept = lists.map((list) => ({ list, data: list.data.slice(), size: list.size }));
  return () => {
    world.gravity = { ...gravity };
    for (const { list, data, size } of kept) {
      list.data = data.slice();
      list.size = size;
    }
    // A collider remembers the shape that it was given last.
    world.forEachCollider((collider) => (collider as ShapeCache).clearShapeCache?.());
  };
}

type ShapeCache = AnyCollider & { clearShapeCache?(): void };

/** The lists of bodies, colliders, and two kinds of joints. */
const MIN_LISTS = 4;

function listsOf(world: AnyWorld): Coarena[] {
  return Object.values(world).flatMap((set: { readonly map?: Partial<Coarena> } | undefined) => {
    const map = set?.map;
    return Array.isArray(map?.data) && typeof map.size === 'number' ? [map as Coarena] : [];
  });
}

/** Frees the controllers of a world, as it does when it is freed itself. */
export function freeControllers(world: AnyWorld): void {
  for (const set of controllersOf(world)) {
    for (const controller of set) controller.free();
    set.clear();
  }
}

/** Pointers of the objects that are freed together with a scene: those of its controllers and its event queue. */
export function releasedWith(world: AnyWorld, queue: AnyEventQueue | undefined): Set<number> {
  const pointers = new Set<number>();
  for (const owner of [queue, ...controllersOf(world).flatMap((set) => Array.from(set))]) {
    for (const value of Object.values(owner ?? {}) as ({ readonly [POINTER]?: unknown } | null)[]) {
      const pointer = value?.[POINTER];
      if (typeof pointer === 'number') pointers.add(pointer);
    }
  }
  return pointers;
}

const controllersOf = (world: AnyWorld): Set<Controller>[] =>
  Object.values(world).filter((value): value is Set<Controller> => value instanceof Set);
