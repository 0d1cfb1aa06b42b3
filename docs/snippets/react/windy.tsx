import { Physics, RigidBody, useSystem, type RapierRigidBody } from 'betwixt/react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { simulation } from '../wind.worker.js';

const createWorker = () =>
  new Worker(new URL('../wind.worker.ts', import.meta.url), { type: 'module' });

export const Field = () => (
  <Physics worker={createWorker}>
    <Kite force={3} />
  </Physics>
);

function Kite({ force }: { force: number }) {
  const body = useRef<RapierRigidBody>(null);
  const [handle, setHandle] = useState<number>();
  useLayoutEffect(() => setHandle(body.current?.handle), []);
  // Other props are sent when they change, and take effect on one tick with everything else of the commit.
  useSystem<typeof simulation>('wind', { bodies: handle === undefined ? [] : [handle], force });
  return (
    <RigidBody ref={body} position={[0, 5, 0]}>
      <mesh>
        <planeGeometry />
      </mesh>
    </RigidBody>
  );
}
