import { CuboidCollider, RigidBody, type RapierRigidBody } from 'betwixt/react';

/** What comes into the goal is put back above it. */
export const Goal = ({ onGoal }: { onGoal: (scorer: RapierRigidBody) => void }) => (
  <RigidBody type="fixed" onCollisionEnter={({ manifold }) => ring(manifold.contactImpulse(0))}>
    <mesh>
      <torusGeometry args={[2, 0.1]} />
    </mesh>
    <CuboidCollider
      sensor
      args={[1.5, 1.5, 0.1]}
      onIntersectionEnter={({ other }) => {
        if (other.rigidBody === undefined) return;
        other.rigidBody.setTranslation({ x: 0, y: 5, z: 0 }, true);
        onGoal(other.rigidBody);
      }}
    />
  </RigidBody>
);

const ring = (impulse: number): void => console.log(`It rings with ${impulse} N s.`);
