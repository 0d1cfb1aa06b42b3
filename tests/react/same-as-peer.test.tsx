/** The same components on this library and on `@react-three/rapier`: the same bodies and colliders. */
import type { JSX } from 'react';
import { BufferAttribute, BufferGeometry } from 'three';
import { describe, expect, test } from 'vitest';
import * as ours from '../../src/render-main/react/index.js';
import { describeMasses, describeWorld, differences } from './described-world.js';
import { peerLibrary, runOnPeer, type Library } from './run-on-peer.js';
import { runScene } from './run-scene.js';

type Snippet = (library: Library) => JSX.Element;

const HULL = new Float32Array([-1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, -1.5]);
const TRIANGLES: [Float32Array, Uint32Array] = [HULL, new Uint32Array([0, 1, 2, 1, 2, 3, 2, 3, 4])];
const tilted: [number, number, number] = [0.3, 0.5, -0.4];
const off: [number, number, number] = [1, -2, 3];

/** Every component of a collider. */
const everyCollider = (
  {
    BallCollider,
    CapsuleCollider,
    ConeCollider,
    ConvexHullCollider,
    CuboidCollider,
    CylinderCollider,
    TrimeshCollider,
    RoundConeCollider,
    RoundCuboidCollider,
    RoundCylinderCollider,
  }: Library,
  props: object,
): JSX.Element => (
  <>
    <CuboidCollider args={[1, 2, 3]} {...props} />
    <RoundCuboidCollider args={[1, 2, 3, 0.1]} {...props} />
    <BallCollider args={[0.7]} {...props} />
    <CapsuleCollider args={[0.5, 0.3]} {...props} />
    <CylinderCollider args={[0.6, 0.4]} {...props} />
    <RoundCylinderCollider args={[0.8, 0.5, 0.1]} {...props} />
    <ConeCollider args={[0.9, 0.2]} {...props} />
    <RoundConeCollider args={[1.1, 0.6, 0.15]} {...props} />
    <ConvexHullCollider args={[HULL]} {...props} />
    <TrimeshCollider args={TRIANGLES} {...props} />
  </>
);

const Box = (props: { readonly [name: string]: unknown }): JSX.Element => (
  <mesh {...props}>
    <boxGeometry args={[1, 2, 3]} />
  </mesh>
);

const named = (name: string): { readonly userData: { readonly name: string } } => ({
  userData: { name },
});

/** A geometry that is off its own origin. */
function offCenter(): BufferGeometry {
  const geometry = new BufferGeometry();
  const points = [2, 0, 0, 3, 0, 0, 2, 1, 0, 2.5, 0.5, 4];
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

const KINDS = ['cuboid', 'ball', 'hull', 'trimesh'] as const;

const AT_MOUNT: Readonly<Record<string, Snippet>> = {
  'a body': ({ RigidBody }) => <RigidBody />,
  'a body with every prop': ({ RigidBody }) => (
    <RigidBody
      type="dynamic"
      position={off}
      rotation={tilted}
      linearVelocity={[1, 2, 3]}
      angularVelocity={[0.1, 0.2, 0.3]}
      linearDamping={0.5}
      angularDamping={0.25}
      gravityScale={0.5}
      dominanceGroup={3}
      additionalSolverIterations={4}
      ccd
      softCcdPrediction={0.5}
      friction={0.25}
      restitution={0.75}
      frictionCombineRule={ours.CoefficientCombineRule.Max}
      restitutionCombineRule={ours.CoefficientCombineRule.Min}
      collisionGroups={ours.interactionGroups(1, [2, 3])}
      solverGroups={ours.interactionGroups([2, 15])}
      activeCollisionTypes={7}
      contactSkin={0.0625}
      density={2}
      {...named('one')}
    >
      <Box />
    </RigidBody>
  ),
  'bodies of all types': ({ RigidBody }) => (
    <>
      {(['dynamic', 'fixed', 'kinematicPosition', 'kinematicVelocity'] as const).map((type) => (
        <RigidBody key={type} type={type} linearVelocity={[1, 0, 0]} {...named(type)} />
      ))}
    </>
  ),
  'locks of bodies': ({ RigidBody }) => (
    <>
      <RigidBody lockRotations linearVelocity={[1, 2, 3]} {...named('a')} />
      <RigidBody lockTranslations linearVelocity={[1, 2, 3]} {...named('b')} />
      <RigidBody
        enabledTranslations={[true, false, false]}
        linearVelocity={[1, 2, 3]}
        {...named('c')}
      />
      <RigidBody
        enabledRotations={[false, true, false]}
        angularVelocity={[1, 2, 3]}
        {...named('d')}
      />
    </>
  ),
  'handlers of a body and of colliders': ({ RigidBody, CuboidCollider, BallCollider }) => (
    <RigidBody colliders={false} onCollisionEnter={() => {}} {...named('a')}>
      <CuboidCollider args={[1, 1, 1]} onContactForce={() => {}} />
      <BallCollider args={[1]} sensor onIntersectionExit={() => {}} position={[0, 3, 0]} />
    </RigidBody>
  ),
  'a body in groups that are moved, turned and scaled': ({ RigidBody }) => (
    <group position={[5, 0, 0]} rotation={tilted} scale={2}>
      <group position={off} rotation={[0, 1, 0]}>
        <RigidBody position={[1, 1, 1]} rotation={tilted} {...named('a')}>
          <Box position={[0.5, 0, 0]} />
        </RigidBody>
      </group>
    </group>
  ),
  'a body in a group that is scaled unevenly': ({ RigidBody, CuboidCollider }) => (
    <group position={[5, 0, 0]} scale={[2, 3, 0.5]}>
      <RigidBody position={[1, 1, 1]} {...named('a')}>
        <Box position={[0.5, 0.25, 0]} />
        <CuboidCollider args={[1, 1, 1]} position={[2, 1, 1]} />
      </RigidBody>
    </group>
  ),
  'a scaled body with nested meshes': ({ RigidBody }) => (
    <RigidBody position={off} rotation={tilted} scale={[2, 3, 0.5]} {...named('a')}>
      <Box position={[1, 2, 3]} />
      <group position={[-3, 1, 0]} scale={2}>
        <Box position={[0, 5, 0]} />
      </group>
    </RigidBody>
  ),
  'nested meshes that are turned': ({ RigidBody }) => (
    <RigidBody position={off} rotation={tilted} {...named('a')}>
      <group position={[-3, 1, 0]} rotation={[1, 0.5, 0]} scale={2}>
        <Box position={[0, 5, 0]} rotation={tilted} />
        <group rotation={[0, 0, 1]}>
          <Box position={[6, 5, 0]} scale={0.5} />
        </group>
      </group>
    </RigidBody>
  ),
  'invisible meshes': ({ RigidBody }) => (
    <RigidBody {...named('a')}>
      <Box />
      <Box visible={false} position={[0, 10, 0]} />
      <group visible={false}>
        <Box position={[0, 20, 0]} />
      </group>
    </RigidBody>
  ),
  'invisible meshes that count': ({ RigidBody }) => (
    <RigidBody includeInvisible {...named('a')}>
      <Box />
      <Box visible={false} position={[0, 10, 0]} />
    </RigidBody>
  ),
  'children that are no meshes': ({ RigidBody }) => (
    <RigidBody {...named('a')}>
      <group>
        <pointLight />
        <lineSegments>
          <boxGeometry />
        </lineSegments>
        <points>
          <boxGeometry />
        </points>
      </group>
    </RigidBody>
  ),
  'meshes in meshes': ({ RigidBody }) => (
    <RigidBody {...named('a')}>
      <mesh position={[1, 0, 0]}>
        <sphereGeometry args={[0.5, 8, 8]} />
        <Box position={[0, 4, 0]} />
      </mesh>
    </RigidBody>
  ),
  'no colliders': ({ RigidBody }) => (
    <RigidBody colliders={false} {...named('a')}>
      <Box />
    </RigidBody>
  ),
  MeshCollider: ({ RigidBody, MeshCollider }) => (
    <RigidBody colliders={false} position={off} rotation={tilted} scale={2} {...named('a')}>
      <MeshCollider type="hull">
        <mesh position={[1, 0, 0]}>
          <octahedronGeometry args={[1]} />
        </mesh>
      </MeshCollider>
      <MeshCollider type="ball">
        <Box position={[0, 4, 0]} />
      </MeshCollider>
      <Box position={[0, 9, 0]} />
    </RigidBody>
  ),
  'MeshCollider in a group that is moved and turned': ({ RigidBody, MeshCollider }) => (
    <RigidBody colliders={false} position={off} rotation={tilted} {...named('a')}>
      <group position={[1, 2, 3]} rotation={[0, 0, 1]}>
        <MeshCollider type="cuboid">
          <Box position={[0, 4, 0]} />
        </MeshCollider>
      </group>
    </RigidBody>
  ),
  'MeshCollider next to other meshes': ({ RigidBody, MeshCollider }) => (
    <RigidBody friction={0.25} {...named('a')}>
      <MeshCollider type="trimesh">
        <group position={[2, 0, 0]} rotation={tilted}>
          <Box />
        </group>
      </MeshCollider>
      <Box position={[0, 9, 0]} />
    </RigidBody>
  ),
  'all components of colliders in a body': (library) => (
    <library.RigidBody position={off} rotation={tilted} {...named('a')}>
      {everyCollider(library, { position: [1, 1, 1], rotation: [1, 0, 0] })}
    </library.RigidBody>
  ),
  'all components of colliders in a scaled body': (library) => (
    <library.RigidBody position={off} rotation={tilted} scale={2} {...named('a')}>
      {everyCollider(library, { position: [1, 1, 1], rotation: [1, 0, 0] })}
    </library.RigidBody>
  ),
  'all components of colliders, themselves scaled': (library) => (
    <library.RigidBody position={off} {...named('a')}>
      {everyCollider(library, { position: [1, 1, 1], scale: 3, rotation: [1, 0, 0] })}
    </library.RigidBody>
  ),
  'all components of colliders without a body': (library) => (
    <>{everyCollider(library, { position: [1, 1, 1], rotation: [1, 0, 0] })}</>
  ),
  'colliders without a body, in groups': (library) => (
    <group position={off} rotation={tilted}>
      <group position={[1, 0, 2]}>
        {everyCollider(library, { position: [1, 1, 1], rotation: [1, 0, 0], scale: 2 })}
      </group>
    </group>
  ),
  'colliders in groups within a body': (library) => (
    <library.RigidBody position={off} rotation={tilted} {...named('a')}>
      <group position={[1, 0, 2]} rotation={[0, 1, 0]}>
        {everyCollider(library, { position: [1, 1, 1], rotation: [1, 0, 0], scale: 2 })}
      </group>
    </library.RigidBody>
  ),
  'a collider by a quaternion': ({ RigidBody, CuboidCollider }) => (
    <RigidBody quaternion={[0.5, 0.5, 0.5, 0.5]} {...named('a')}>
      <CuboidCollider args={[1, 2, 3]} quaternion={[0, 0, 0.6, 0.8]} />
    </RigidBody>
  ),
  'a heightfield': ({ HeightfieldCollider }) => (
    <HeightfieldCollider
      args={[1, 2, [0, 1, 2, 3, 4, 5], { x: 10, y: 2, z: 20 }]}
      position={off}
      rotation={[0, 1, 0]}
    />
  ),
  'settings of colliders, their own and those of their body': ({
    RigidBody,
    CuboidCollider,
    BallCollider,
  }) => (
    <RigidBody
      friction={0.25}
      restitution={0.5}
      sensor
      contactSkin={0.125}
      colliders={false}
      {...named('a')}
    >
      <CuboidCollider args={[1, 1, 1]} friction={1} sensor={false} />
      <BallCollider args={[1]} restitution={0} collisionGroups={ours.interactionGroups(3)} />
    </RigidBody>
  ),
  'masses of colliders': ({ RigidBody, CuboidCollider, BallCollider, CapsuleCollider }) => (
    <>
      <RigidBody {...named('mass')}>
        <CuboidCollider args={[1, 2, 3]} mass={5} />
      </RigidBody>
      <RigidBody {...named('density')} position={[20, 0, 0]}>
        <BallCollider args={[1]} density={3} position={[1, 0, 0]} />
      </RigidBody>
      <RigidBody {...named('properties')} position={[40, 0, 0]}>
        <CapsuleCollider
          args={[1, 1]}
          massProperties={{
            mass: 2,
            centerOfMass: { x: 0, y: -1, z: 0 },
            principalAngularInertia: { x: 1, y: 2, z: 3 },
            angularInertiaLocalFrame: { x: 0, y: 0, z: 0, w: 1 },
          }}
        />
      </RigidBody>
      <RigidBody {...named('ofBody')} density={4} position={[60, 0, 0]}>
        <Box />
      </RigidBody>
      <RigidBody {...named('none')} position={[80, 0, 0]}>
        <CuboidCollider args={[1, 2, 3]} mass={0} />
        <CuboidCollider args={[1, 2, 3]} density={0} />
      </RigidBody>
    </>
  ),
  ...Object.fromEntries(
    KINDS.flatMap((kind): [string, Snippet][] => [
      [
        `${kind} of geometries`,
        ({ RigidBody }) => (
          <RigidBody colliders={kind} position={off} rotation={tilted} scale={2} {...named('a')}>
            <Box />
            <mesh position={[5, 0, 0]}>
              <sphereGeometry args={[0.5, 8, 8]} />
            </mesh>
            <mesh position={[0, 5, 0]} rotation={[1, 0, 0]}>
              <octahedronGeometry args={[1]} />
            </mesh>
            <mesh position={[0, 0, 5]} geometry={offCenter()} />
          </RigidBody>
        ),
      ],
    ]),
  ),
};

const compare = async (snippet: Snippet): Promise<readonly string[]> => {
  const mine = await runScene(snippet(ours));
  const theirs = await runOnPeer(snippet(peerLibrary));
  const atMount = differences(describeWorld(mine.world), describeWorld(theirs.world));
  await mine.ticks(1);
  await theirs.ticks(1);
  const later = differences(describeMasses(mine.world), describeMasses(theirs.world), 1e-4);
  return [...atMount, ...later];
};

describe('at mount', () => {
  for (const [name, snippet] of Object.entries(AT_MOUNT)) {
    test(name, async () => {
      expect(await compare(snippet)).toEqual([]);
    });
  }
});
