/** The lines that `<Physics debug>` shows. */
import { useEffect, useState, type JSX } from 'react';
import { WorldHelper } from '../three/index.js';
import { usePhysics } from './physics-context.js';

/** Lines of colliders and joints, where they are drawn. */
export function PhysicsDebug(): JSX.Element {
  const { scope } = usePhysics('debug');
  const { world } = scope;
  const [helper, setHelper] = useState<WorldHelper>();
  useEffect(() => {
    const made = new WorldHelper(world);
    setHelper(made);
    const off = scope.onFrame(() => made.update());
    return () => {
      off();
      made.dispose();
    };
  }, [scope, world]);
  return <>{helper !== undefined && <primitive object={helper} />}</>;
}
