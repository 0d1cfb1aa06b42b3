/** Systems: `useSystem`, and systems that every worker script has. */
import type { RefObject } from 'react';
import type { Json } from '../shared/util/json.js';
import type { SystemHandle, World } from '../world/page/index.js';
import type { PropsArgument, SystemsIn } from '../world/page/system-handle.js';
import type {
  BuiltInSimulation,
  BuiltInSystem,
  BuiltInSystems,
} from '../world/shared/built-in-systems.js';
import { useDependentItem } from './dependent-item.js';

/**
 * The arguments of {@link useSystem}.
 *
 * @typeParam S The simulation of the worker script.
 */
export type SystemArguments<S> = unknown extends S
  ? [name: string, props?: Json]
  : {
      [Name in keyof SystemsIn<S> & string]: [
        name: Name,
        ...props: PropsArgument<SystemsIn<S>[Name]>,
      ];
    }[keyof SystemsIn<S> & string];

/**
 * Has a system run while the component is mounted: your code, which runs with every tick in the worker, from the script
 * that `<Physics worker>` is given. Props that differ from those of the last render are sent.
 *
 *     import type { simulation } from './physics.worker.js';
 *     useSystem<typeof simulation>('wind', { x: 3 });
 *
 * Systems run in the order in which they were created: that of the layout effects.
 *
 * @param args The system's name in the worker script's `runWorld({ … })`, and its props: plain data. Default of the
 *   props: null.
 * @typeParam S The simulation of the worker script, for the types of names and props.
 * @returns A ref of the system's handle: `set` gives it other props without a render. Null before the first layout effects.
 * @throws Error outside of `<Physics>`.
 * @throws RangeError if the worker script has no such system. Before the worker runs only the type checker knows that;
 *   then `<Physics>` fails, as `onFailure` says.
 * @throws TypeError if JSON cannot hold the props; the message names the place in them.
 */
export function useSystem<S = unknown>(
  ...args: SystemArguments<S>
): RefObject<SystemHandle | null> {
  const [name, props = null] = args as [name: string, props?: Json];
  return useDependentItem<SystemHandle, null>('useSystem', null, {
    dependencies: [],
    key: [name],
    settings: { props },
    make: (world) => (world as World<AnySimulation>).system(name, props),
    remove: (world, system) => world.removeSystem(system),
    change: (system, changed) => system.set(changed['props'] as Json),
  });
}

/** The names and props of an unknown script. */
interface AnySimulation {
  readonly systems: Record<string, Json>;
}

/** Creates a system that every worker script has. */
export const builtInSystem = <Name extends BuiltInSystem>(
  world: World,
  name: Name,
  props: BuiltInSystems[Name],
): SystemHandle =>
  (world as World<BuiltInSimulation>).system<BuiltInSystem>(name, props) as SystemHandle<never>;
