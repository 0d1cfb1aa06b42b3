/** The systems of a world: they run in the order of their handles, which is the order in which the page created them. */
import type { Json } from '../../shared/util/json.js';
import { isBuiltIn } from '../shared/built-in-systems.js';
import { readBatch } from '../shared/batch-codec.js';
import type { Change } from '../shared/world-batch.js';
import { isRestoringNewCode } from '../../sim-worker/api/simulation.js';
import type { AnyPhysicsHooks } from '../../rapier/any-rapier.js';
import type { RapierTools } from '../../rapier/rapier-scene.js';
import { BUILT_IN_SYSTEMS } from './built-in-systems.js';
import type { KindContents } from './kind-contents.js';
import type { PageFilters } from './page-hooks.js';
import type { FilteredPair, System, SystemMap, SystemStep, WorkerWorld } from './system.js';
import type { WorldColliders } from './world-colliders.js';

interface SystemEntry {
  readonly name: string;
  props: Json;
  readonly system: System;
}

type Method = keyof System;

function definitionOf(own: SystemMap, name: string): SystemMap[string] | undefined {
  const definitions: SystemMap = isBuiltIn(name) ? BUILT_IN_SYSTEMS : own;
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}

/** @throws RangeError if the script does not have it. */
function requireSystem(own: SystemMap, name: string): SystemMap[string] {
  const definition = definitionOf(own, name);
  if (definition !== undefined) return definition;
  const known = Object.keys(own).join(', ') || 'none';
  throw new RangeError(
    `the worker script has no system "${name}"; it calls runWorld with: ${known}`,
  );
}

/** @throws RangeError if a batch creates a system that the script does not have, or is none. */
export function requireSystems(bytes: Uint8Array, own: SystemMap): void {
  for (const { parts, fields } of readBatch(bytes, undefined, true).changed.system) {
    if (parts !== undefined) requireSystem(own, fields.name ?? '');
  }
}

export class WorldSystems implements KindContents<'system'> {
  readonly #definitions: SystemMap;
  readonly #tools: RapierTools;
  readonly #colliders: WorldColliders;
  readonly #world: WorkerWorld;
  readonly #entries = new Map<number, SystemEntry>();
  /** Whether a system filters pairs. */
  #isFiltering = false;
  /** Whether pairs that no system decides about are those of the page's filters. */
  asksPage = false;
  page: PageFilters | undefined;
  /** The first error of a filter since the last step: the engine survives none. */
  #filterError: Error | undefined;

  constructor(definitions: SystemMap, tools: RapierTools, colliders: WorldColliders) {
    this.#definitions = definitions;
    this.#tools = tools;
    this.#colliders = colliders;
    const { bodies } = colliders;
    const { rapier, physics, input, context } = tools;
    this.#world = {
      rapier,
      physics,
      input,
      random: context.random,
      bodyOf: (handle) => bodies.get(handle),
      handleOf: (body) => bodies.handleOf(body),
      colliderOf: (handle) => colliders.get(handle),
      handleOfCollider: (collider) => colliders.handleOf(collider),
      emit: (name, value) => context.events.emit(name, value),
    };
  }

  remove(handle: number): void {
    const entry = this.#entries.get(handle);
    if (entry === undefined) return;
    this.#entries.delete(handle);
    this.#noteFilters();
    this.#wakeFiltered(entry);
    called(entry.name, 'onRemove', () => entry.system.onRemove?.());
  }

  forgetGone(): void {
    // Nothing of the engine goes with it.
  }

  apply({ handle, parts, fields }: Change<'system'>): void {
    const { name, props } = fields;
    if (parts !== undefined) this.#create(handle, name ?? '', props ?? null);
    const entry = this.#entries.get(handle);
    if (entry === undefined) return;
    if (props !== undefined) entry.props = props;
    this.#wakeFiltered(entry);
  }

  beforeStep(step: SystemStep): void {
    for (const { name, system, props } of this.#entries.values()) {
      called(name, 'beforeStep', () => system.beforeStep?.(props, step));
    }
    // After all systems: they may have moved bodies.
    this.#colliders.oneWays.beforeStep(step.dt);
    this.#setHooks();
  }

  afterStep(step: SystemStep): void {
    const error = this.#filterError;
    this.#filterError = undefined;
    if (error !== undefined) throw error;
    for (const { name, system, props } of this.#entries.values()) {
      called(name, 'afterStep', () => system.afterStep?.(props, step));
    }
  }

  describe(): Change<'system'>[] {
    return Array.from(this.#entries, ([handle, { name, props }]) => ({
      handle,
      parts: [],
      fields: { name, props },
    }));
  }

  save(): Json {
    return Array.from(this.#entries, ([handle, { name, system }]): Json => [
      handle,
      called(name, 'save', () => system.save?.() ?? null),
    ]);
  }

  restore(changes: readonly Change<'system'>[], saved: Json): void {
    this.#entries.clear();
    const states = new Map(saved as [number, Json][]);
    for (const { handle, fields } of changes) {
      const { name = '', props = null } = fields;
      try {
        const { system } = this.#create(handle, name, props);
        called(name, 'restore', () => system.restore?.(states.get(handle) as never));
      } catch (error) {
        if (!isRestoringNewCode(this.#tools.context)) throw error;
        this.#startOver(handle, name, props, error);
      }
    }
    this.#noteFilters();
  }

  /** A system of a script that has changed: everything else continues. */
  #startOver(handle: number, name: string, props: Json, error: unknown): void {
    this.#entries.delete(handle);
    const isKnown = definitionOf(this.#definitions, name) !== undefined;
    // oxlint-disable-next-line no-console
    console.warn(
      `betwixt: ${String(error)}. The worker's script has changed, so this system ${isKnown ? 'starts over' : 'is gone'}`,
    );
    if (isKnown) this.#create(handle, name, props);
  }

  #create(handle: number, name: string, props: Json): SystemEntry {
    const definition = requireSystem(this.#definitions, name);
    const system = called(name, undefined, () => definition(this.#world as never)) as System;
    if (typeof system !== 'object' || system === null) {
      throw new TypeError(`the system "${name}" must be an object such as { beforeStep }`);
    }
    const entry = { name, props, system };
    this.#entries.set(handle, entry);
    this.#noteFilters();
    return entry;
  }

  /** For a system that is new, has other props, or is gone. The page itself wakes the two bodies of an ignored pair. */
  #wakeFiltered({ name, system }: SystemEntry): void {
    if (isFilter(system) && !isBuiltIn(name)) this.#colliders.wakeFiltered();
  }

  /** Must be called when the systems have changed. */
  #noteFilters(): void {
    this.#isFiltering = [...this.#entries.values()].some(({ system }) => isFilter(system));
  }

  /** Only while there are filters: each question crosses the border of the engine. */
  #setHooks(): void {
    const isFiltering = this.#isFiltering || this.#isPageAsked || !this.#colliders.oneWays.isEmpty;
    this.#tools.physics.hooks = isFiltering ? this.#hooks : undefined;
  }

  get #isPageAsked(): boolean {
    return this.asksPage && this.page?.isFiltering === true;
  }

  readonly #hooks: AnyPhysicsHooks = {
    filterContactPair: (...handles) => {
      const [collider1, collider2] = handles;
      if (this.#colliders.oneWays.passes(collider1, collider2)) return null;
      const pair = this.#pairOf(handles);
      const { COMPUTE_IMPULSE } = this.#tools.rapier.SolverFlags;
      const answer = this.#filtered('filterContact', (system, props) =>
        system.filterContact?.(pair, props),
      );
      if (answer !== undefined) return answer as number | null;
      return this.#askPage('filterContactPair', pair, COMPUTE_IMPULSE);
    },
    filterIntersectionPair: (...handles) => {
      const pair = this.#pairOf(handles);
      const answer = this.#filtered('filterIntersection', (system, props) =>
        system.filterIntersection?.(pair, props) === false ? false : undefined,
      );
      return answer !== false && this.#askPage('filterIntersectionPair', pair, true);
    },
  };

  /** Asks the filters of the page, if there are any. @param otherwise The answer if not, or if one throws. */
  #askPage<Name extends 'filterContactPair' | 'filterIntersectionPair'>(
    name: Name,
    { collider1, collider2, body1, body2 }: FilteredPair,
    otherwise: ReturnType<PageFilters[Name]>,
  ): ReturnType<PageFilters[Name]> {
    if (!this.#isPageAsked) return otherwise;
    try {
      return this.page?.[name](collider1, collider2, body1, body2) as typeof otherwise;
    } catch (error) {
      this.#filterError ??= error as Error;
      return otherwise;
    }
  }

  /** Two colliders and their bodies, by the page's handles. */
  #pairOf([collider1, collider2, body1, body2]: readonly number[]): FilteredPair {
    const colliders = this.#colliders;
    const { bodies } = colliders;
    return {
      collider1: colliders.handleOfNumber(collider1),
      collider2: colliders.handleOfNumber(collider2),
      body1: bodies.handleOfNumber(body1),
      body2: bodies.handleOfNumber(body2),
    };
  }

  /** The first answer of a system. */
  #filtered(method: Method, ask: (system: System, props: Json) => unknown): unknown {
    for (const { name, system, props } of this.#entries.values()) {
      try {
        const answer = ask(system, props);
        if (answer !== undefined) return answer;
      } catch (error) {
        this.#filterError ??= failed(name, method, error);
      }
    }
    return undefined;
  }
}

const isFilter = ({ filterContact, filterIntersection }: System): boolean =>
  (filterContact ?? filterIntersection) !== undefined;

/** @param method Undefined: the function that makes it. */
function called<T>(name: string, method: Method | undefined, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw failed(name, method, error);
  }
}

/** The error of wasm-bindgen when an object is used while the engine steps. */
const IN_USE = /recursive use of an object/;

function failed(name: string, method: Method | undefined, cause: unknown): Error {
  const where = method === undefined ? 'when it was made' : `in ${method}`;
  const why = cause instanceof Error ? cause.message : String(cause);
  const hint =
    method?.startsWith('filter') === true && IN_USE.test(why)
      ? '. A filter runs inside the step and may not touch the engine: let beforeStep store what it needs'
      : '';
  return new Error(`the system "${name}" failed ${where}: ${why}${hint}`, { cause });
}
