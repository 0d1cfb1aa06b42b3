/** Components that draw a room: its handle is used as that of `connect`, as the guide describes it. */
import { addEffect } from '@react-three/fiber';
import { StrictMode, useEffect, useState, type JSX } from 'react';
import type { Mesh } from 'three';
import { expect, onTestFinished, test } from 'vitest';
import { SeatedToy } from '../fixtures/rooms/seated-toy.js';
import {
  connectRoom,
  type ConnectRoomOptions,
  type RoomHandle,
} from '../../src/rooms/page/index.js';
import { BodyBinding } from '../../src/three/index.js';
import { runLocally } from '../../src/sim-worker/local.js';
import { predictRoom } from '../../src/rooms/run/index.js';
import type { BodyId } from '../../src/shared/index.js';
import { openLocalRoom } from '../fixtures/rooms/local-room.js';
import { runCanvas } from './run-canvas.js';

interface PlayersProps {
  readonly sim: Pick<RoomHandle, 'bodies' | 'on' | 'sample'>;
  readonly bodies: BodyBinding;
}

/** A mesh for each body of the room, which the binding moves. */
function Players({ sim, bodies }: PlayersProps): JSX.Element {
  const [ids, setIds] = useState<readonly BodyId[]>([]);
  useEffect(() => {
    const read = (): void => setIds([...sim.bodies.keys()]);
    const ends = [sim.on('spawn', read), sim.on('despawn', read)];
    read();
    return () => {
      for (const end of ends) end();
    };
  }, [sim]);
  useEffect(() => addEffect((stamp) => bodies.update(sim.sample(stamp))), [sim, bodies]);
  const attach = (id: BodyId) => (mesh: Mesh | null) => {
    if (mesh === null) return undefined;
    bodies.attach(mesh, id);
    shown.set(id, mesh);
    return () => {
      bodies.detach(mesh);
      shown.delete(id);
    };
  };
  return (
    <>
      {ids.map((id) => (
        <mesh key={id} ref={attach(id)} />
      ))}
    </>
  );
}

/** The meshes that are mounted. */
const shown = new Map<BodyId, Mesh>();

test.each<ConnectRoomOptions>([
  { mode: 'stream' },
  { mode: 'predict', createWorker: () => runLocally(predictRoom(new SeatedToy())) },
])('bodies of a room in the mode $mode come, move and go', async (options) => {
  const { room, join, close } = await openLocalRoom(setImmediate);
  onTestFinished(close);
  const sim = await connectRoom<SeatedToy>(join(), options);
  const canvas = await runCanvas(
    'always',
    <StrictMode>
      <Players sim={sim} bodies={new BodyBinding()} />
    </StrictMode>,
  );
  await canvas.until(() => shown.size === 1);
  await sim.commands.jump(15);
  const [own] = shown.values();
  await canvas.until(() => (own?.position.x ?? 0) > 10);
  join();
  await canvas.until(() => shown.size === 2);
  room.leave(1);
  await canvas.until(() => shown.size === 1);
  expect([...shown.values()]).toEqual([own]);
  await canvas.unmount();
  expect(shown.size).toBe(0);
  await sim.dispose();
});
