/** A body that is pressed hangs on the pointer until its button goes up: by a ray, and a joint that comes and goes. */
import { RigidBody, useRapier, useSphericalJoint, type RapierRigidBody } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef, useState, type JSX, type RefObject } from 'react';
import { Plane, Vector3 } from 'three';
import { held } from '../common/held.js';
import { Ball, Box } from '../common/meshes.js';
import { STONE, colorOf } from '../../../stage/stage.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

type BodyRef = RefObject<RapierRigidBody>;

/** A dragged body moves in it. */
const PLANE = new Plane(new Vector3(0, 0, 1), 0);
const point = new Vector3();

/** Holds a body by its middle. */
function Grip({ hand, body }: { readonly hand: BodyRef; readonly body: BodyRef }): null {
  useSphericalJoint(hand, body, [
    [0, 0, 0],
    [0, 0, 0],
  ]);
  return null;
}

function Content(): JSX.Element {
  const { rapier, world } = useRapier();
  const hand = useRef<RapierRigidBody>(undefined as unknown as RapierRigidBody);
  const wasHeld = useRef(false);
  const [dragged, setDragged] = useState<BodyRef>();

  useFrame(({ raycaster, pointer, camera, controls }) => {
    // One of the two libraries has it later.
    if (!hand.current) return;
    raycaster.setFromCamera(pointer, camera);
    const { origin, direction } = raycaster.ray;
    if (raycaster.ray.intersectPlane(PLANE, point) === null) return;
    hand.current.setNextKinematicTranslation(point);
    const isHeld = held.has('Pointer');
    if (isHeld === wasHeld.current) return;
    wasHeld.current = isHeld;
    const flags = rapier.QueryFilterFlags.ONLY_DYNAMIC;
    const hit = isHeld ? world.castRay(new rapier.Ray(origin, direction), 100, true, flags) : null;
    const body = hit?.collider.parent() ?? undefined;
    setDragged(body && { current: body });
    if (controls !== null) (controls as { enabled?: boolean }).enabled = body === undefined;
  });

  return (
    <>
      <RigidBody ref={hand} type="kinematicPosition" colliders={false} userData={{ name: 'hand' }}>
        <Ball color="#f2e2b6" args={[0.1, 16, 8]} />
      </RigidBody>
      {dragged !== undefined && <Grip hand={hand} body={dragged} />}
      {range(5).map((index) => (
        <RigidBody
          key={index}
          position={[(index - 2) * 1.5, 0.5, 0]}
          angularDamping={2}
          userData={{ name: `box ${index}` }}
        >
          <Box color={colorOf(index)} />
        </RigidBody>
      ))}
      <RigidBody type="fixed">
        <Box color={STONE} args={[14, 0.5, 6]} position={[0, -0.25, 0]} />
      </RigidBody>
    </>
  );
}

export const scene: Scene = {
  camera: { position: [0, 3.5, 10], target: [0, 1.8, 0], aspect: 1.1 },
  Content,
};
