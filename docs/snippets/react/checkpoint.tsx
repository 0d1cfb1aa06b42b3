import { useRapier, useWorld } from 'betwixt/react';
import { useState } from 'react';

/** Two boxes in the scene that one clicks on: the first keeps the state of the world, the second goes back to it. */
export function Checkpoint() {
  const world = useWorld();
  const { setWorld } = useRapier();
  const [saved, setSaved] = useState<Parameters<typeof setWorld>[0]>();
  const save = async () => setSaved(await (await world.ready).save());
  const restore = async () => {
    if (saved !== undefined) await setWorld(saved);
  };
  return (
    <>
      <mesh position={[-2, 0, 0]} onClick={() => void save()}>
        <boxGeometry />
      </mesh>
      <mesh position={[2, 0, 0]} onClick={() => void restore()}>
        <boxGeometry />
      </mesh>
    </>
  );
}
