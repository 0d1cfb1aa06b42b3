/** The same push for bodies with more and more damping. */
import { RigidBody, type RapierRigidBody } from 'betwixt/react';
import { useEffect, useRef, type JSX } from 'react';
import { Ball, Box, Cylinder, Plate } from '../common/meshes.js';
import { WOOD, colorOf } from '../common/palette.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

const LANES = 6;
const LANE_M = 1.6;

function Content(): JSX.Element {
  return (
    <>
      <RigidBody type="fixed" friction={0}>
        <Plate size={30} />
        {range(LANES + 1).map((wall) => (
          <Box
            key={wall}
            color={WOOD}
            args={[22, 0.5, 0.15]}
            position={[0, 0.25, (wall - LANES / 2) * LANE_M]}
          />
        ))}
        <Box color={WOOD} args={[0.3, 1, LANES * LANE_M]} position={[11.2, 0.5, 0]} />
      </RigidBody>
      {range(LANES).map((lane) => (
        <group key={lane} position={[0, 0, (lane - (LANES - 1) / 2) * LANE_M]}>
          <Puck name={`puck ${lane}`} linearDamping={lane * 0.6} color={colorOf(lane)} />
          <Top name={`top ${lane}`} angularDamping={lane * 0.4} color={colorOf(lane)} />
        </group>
      ))}
    </>
  );
}

interface DampedProps {
  readonly name: string;
  readonly color: string;
}

/** It slides along its lane. */
function Puck({
  name,
  color,
  linearDamping,
}: DampedProps & { readonly linearDamping: number }): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  useEffect(() => {
    body.current?.setLinvel({ x: 9, y: 0, z: 0 }, true);
  }, []);
  return (
    <RigidBody
      ref={body}
      name={name}
      colliders="hull"
      friction={0}
      position={[-10, 0.3, 0]}
      linearDamping={linearDamping}
      enabledRotations={[false, true, false]}
    >
      <Cylinder color={color} args={[0.6, 0.6, 0.5, 32]} />
    </RigidBody>
  );
}

/** It turns in place, above its lane. */
const Top = ({
  name,
  color,
  angularDamping,
}: DampedProps & { readonly angularDamping: number }): JSX.Element => (
  <RigidBody
    name={name}
    colliders={false}
    position={[-12.5, 1.5, 0]}
    lockTranslations
    angularVelocity={[0, 0, 10]}
    angularDamping={angularDamping}
    massProperties={{
      mass: 1,
      centerOfMass: { x: 0, y: 0, z: 0 },
      principalAngularInertia: { x: 1, y: 1, z: 1 },
      angularInertiaLocalFrame: { x: 0, y: 0, z: 0, w: 1 },
    }}
  >
    <Box color={color} args={[2.2, 0.25, 0.25]} />
    <Ball color={color} args={[0.3, 16, 12]} position={[1.1, 0, 0]} />
  </RigidBody>
);

export const scene: Scene = {
  title: 'Damping',
  about:
    'All pucks start with 9 m/s, all arms with 10 rad/s. From the back, each has more damping than the one before.',
  camera: { position: [-2, 9, 15], target: [-2, 0, 0.5] },
  Content,
};
