/** `<Attractor>` for `@react-three/rapier`, which has it in another package: of what the scene uses. */
import { useBeforePhysicsStep } from '@react-three/rapier';
import { useRef, type JSX } from 'react';
import { Vector3, type Object3D } from 'three';

interface AttractorProps {
  readonly type: 'static' | 'linear' | 'newtonian';
  readonly strength: number;
  readonly range: number;
  readonly gravitationalConstant?: number;
}

const [center, pull] = [new Vector3(), new Vector3()];

/** Pulls all bodies that are near, to the place of what it is in. */
export function Attractor(props: AttractorProps): JSX.Element {
  const { type, strength, range, gravitationalConstant = 6.673e-11 } = props;
  const object = useRef<Object3D>(null);
  useBeforePhysicsStep((world) => {
    object.current?.getWorldPosition(center);
    world.forEachRigidBody((body) => {
      if (!body.isDynamic()) return;
      pull.copy(body.translation()).sub(center).negate();
      const distance = pull.length();
      if (distance === 0 || distance > range) return;
      const impulse = {
        static: strength,
        linear: (strength * distance) / range,
        newtonian: (gravitationalConstant * strength * body.mass()) / distance ** 2,
      }[type];
      body.applyImpulse(pull.multiplyScalar(impulse / distance), true);
    });
  });
  return <object3D ref={object} />;
}
