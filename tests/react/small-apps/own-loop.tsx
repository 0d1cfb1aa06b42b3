/** A paused world that a loop of the app steps, two ticks at a time, without the frames of the canvas. */
import { CuboidCollider, Physics, RigidBody, useRapier } from 'betwixt/react';
import { useEffect } from 'react';

function Loop() {
  const { step } = useRapier();
  useEffect(() => {
    const loop = (): void => {
      step(1 / 60);
      step(1 / 60);
      frame = requestAnimationFrame(loop);
    };
    let frame = requestAnimationFrame(loop);
    return () => cancelAnimationFrame(frame);
  }, [step]);
  return null;
}

export function App() {
  return (
    <Physics transport="local" updateLoop="independent" paused>
      <Loop />
      <CuboidCollider args={[50, 0.5, 50]} position={[0, -0.5, 0]} />
      <RigidBody colliders="ball" position={[0, 5, 0]} restitution={0.8} linearVelocity={[3, 0, 0]}>
        <mesh name="ball">
          <sphereGeometry args={[0.5]} />
        </mesh>
      </RigidBody>
    </Physics>
  );
}
