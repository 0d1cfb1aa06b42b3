import {
  InstancedRigidBodies,
  type InstancedRigidBodyProps,
  type RapierRigidBody,
} from 'betwixt/react';
import { useMemo, useRef } from 'react';

const COUNT = 1000;

export function Rain() {
  const bodies = useRef<(RapierRigidBody | null)[]>(null);
  const instances = useMemo(
    () =>
      Array.from({ length: COUNT }, (_, index): InstancedRigidBodyProps => ({
        key: index,
        position: [(index % 10) - 5, 5 + index / 10, (index % 7) - 3],
      })),
    [],
  );
  return (
    <InstancedRigidBodies ref={bodies} instances={instances} colliders="ball">
      <instancedMesh
        args={[undefined, undefined, COUNT]}
        count={COUNT}
        frustumCulled={false}
        onClick={({ instanceId = -1 }) =>
          bodies.current?.[instanceId]?.applyImpulse({ x: 0, y: 5, z: 0 }, true)
        }
      >
        <sphereGeometry args={[0.3]} />
        <meshStandardMaterial />
      </instancedMesh>
    </InstancedRigidBodies>
  );
}
