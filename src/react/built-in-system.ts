/** Systems that every worker script has. */
import type {
  BuiltInSimulation,
  BuiltInSystem,
  BuiltInSystems,
} from '../world/shared/built-in-systems.js';
import type { SystemHandle, World } from '../world/page/index.js';

/** Creates one, whatever else the script has. */
export const builtInSystem = <Name extends BuiltInSystem>(
  world: World,
  name: Name,
  props: BuiltInSystems[Name],
): SystemHandle =>
  (world as World<BuiltInSimulation>).system<BuiltInSystem>(name, props) as SystemHandle<never>;
