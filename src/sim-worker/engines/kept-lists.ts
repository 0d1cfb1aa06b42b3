/**
 * What a Rapier world keeps in JavaScript next to the engine's memory: the objects of its bodies, colliders and joints, and
 * its gravity. Bodies and colliders have no memory for themselves, so one that was removed is valid again with the memory of
 * an earlier moment.
 */
import type { AnyCollider, AnyEventQueue, AnyWorld } from './any-rapier.js';

/** Rapier's list of objects by handle. */
interface Coarena {
  data: (object | null)[];
  size: number;
}

/** The field by which an object of Rapier owns memory of the engine. */
const POINTER = '__wbg_ptr';

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

/** Of bodies, colliders, and two kinds of joints. */
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
