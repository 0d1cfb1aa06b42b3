/** Systems that every worker script has. */
import type {
  BuiltInSimulation,
  BuiltInSystem,
  BuiltInSystems,
} from '../../../shared/world/built-in-systems.js';
import type { SystemHandle, World } from '../../world/index.js';

/** Creates one, whatever else the script has. */
export const builtInSystem = <Name extends BuiltInSystem>(
  world: World,
  name: Name,
  props: BuiltInSystems[Name],
): SystemHandle =>
  (world as World<BuiltInSimulation>).system<BuiltInSystem>(name, props) as SystemHandle<never>;
