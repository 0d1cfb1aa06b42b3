import {
  CapsuleCollider,
  RigidBody,
  useCharacter,
  useWorld,
  type RapierRigidBody,
} from 'betwixt/react';
import { keyboardSource, type InputSource } from 'betwixt/inputs';
import { CharacterDesc } from 'betwixt/world';
import { useEffect, useRef } from 'react';

const WALKER = new CharacterDesc()
  .enableAutostep(0.3, 0.1, false)
  .setApplyImpulsesToDynamicBodies(true)
  .setInputs({ speed: 4, jumpSpeed: 5 }); // WASD or arrows, and the space bar

export function Player() {
  const body = useRef<RapierRigidBody>(null);
  const character = useCharacter(body, WALKER);
  useKeyboard();
  return (
    <RigidBody ref={body} type="kinematicPosition" colliders={false} position={[0, 1, 0]}>
      <CapsuleCollider args={[0.3, 0.2]} />
      <mesh onClick={() => character.current?.jump(5)}>
        <capsuleGeometry args={[0.2, 0.6]} />
      </mesh>
    </RigidBody>
  );
}

/** Sends keys to the worker, where each tick takes its own. */
function useKeyboard(): void {
  const world = useWorld();
  useEffect(() => {
    let source: InputSource | undefined;
    let isOver = false;
    void world.ready.then(({ inputs }) => {
      if (!isOver) source = keyboardSource(inputs);
    });
    return () => {
      isOver = true;
      source?.dispose();
    };
  }, [world]);
}
