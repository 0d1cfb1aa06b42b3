/** The methods of refs and of the world, called by clicks. */
import { CuboidCollider, RigidBody, useRapier, vec3, type RapierRigidBody } from 'betwixt/react';
import type { ThreeEvent } from '@react-three/fiber';
import { useRef, useState, type JSX } from 'react';
import { Ball, Box, Cylinder, Plate } from '../common/meshes.js';
import { colorOf } from '../common/palette.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

function Content(): JSX.Element {
  const { world } = useRapier();
  const ball = useRef<RapierRigidBody>(null);
  const [isFloating, setFloating] = useState(false);
  const actions: Readonly<Record<string, () => void>> = {
    jump: () => ball.current?.applyImpulse({ x: 0, y: 5 * ball.current.mass(), z: 0 }, true),
    spin: () => ball.current?.setAngvel({ x: 0, y: 0, z: -15 }, true),
    return: () => {
      ball.current?.setTranslation({ x: 0, y: 4, z: 0 }, true);
      ball.current?.setLinvel({ x: 0, y: 0, z: 0 }, true);
    },
    float: () => {
      world.gravity = { x: 0, y: isFloating ? -9.81 : 0.8, z: 0 };
      world.bodies.forEach((body) => body.wakeUp());
      setFloating(!isFloating);
    },
    scatter: () => {
      // Away from the middle: read, computed with vectors of three.js, written.
      world.bodies.forEach((body) => {
        if (!body.isDynamic()) return;
        const away = vec3(body.translation()).setY(1).normalize();
        body.applyImpulse(away.multiplyScalar(body.mass() * 4), true);
      });
    },
  };
  return (
    <>
      <RigidBody type="fixed">
        <Plate size={18} />
        <CuboidCollider args={[9, 8, 0.5]} position={[0, 6, -9]} />
        <CuboidCollider args={[9, 8, 0.5]} position={[0, 6, 9]} />
        <CuboidCollider args={[0.5, 8, 9]} position={[-9, 6, 0]} />
        <CuboidCollider args={[0.5, 8, 9]} position={[9, 6, 0]} />
        <CuboidCollider args={[9, 0.5, 9]} position={[0, 14, 0]} />
      </RigidBody>
      <RigidBody ref={ball} name="ball" colliders="ball" position={[0, 4, 0]} restitution={0.6}>
        <Ball color={colorOf(0)} args={[0.8, 32, 24]} />
        <Box color="#2a303a" args={[1.62, 0.15, 0.15]} />
      </RigidBody>
      {range(12).map((index) => (
        <RigidBody
          key={index}
          name={`box ${index}`}
          position={[Math.cos(index) * 4, 0.5 + (index % 3), Math.sin(index) * 4]}
        >
          <Box color={colorOf(1 + (index % 4))} />
        </RigidBody>
      ))}
      {Object.keys(actions).map((name, index) => (
        <Button key={name} name={name} x={(index - 2) * 2.4} onPress={() => actions[name]?.()} />
      ))}
    </>
  );
}

interface ButtonProps {
  readonly name: string;
  readonly x: number;
  readonly onPress: () => void;
}

/** A knob that can be clicked: it is no body. */
function Button({ name, x, onPress }: ButtonProps): JSX.Element {
  const [isOver, setOver] = useState(false);
  const press = (event: ThreeEvent<MouseEvent>): void => {
    event.stopPropagation();
    onPress();
  };
  return (
    <group position={[x, 0.15, 8]}>
      <Cylinder
        name={name}
        color={isOver ? '#eceff4' : colorOf(Math.round(x / 2.4) + 2)}
        args={[0.8, 0.9, 0.4, 32]}
        onClick={press}
        onPointerOver={() => setOver(true)}
        onPointerOut={() => setOver(false)}
      />
    </group>
  );
}

export const scene: Scene = {
  title: 'API usage',
  about:
    'The knobs in front, from the left: the ball jumps, spins, and goes back; gravity turns over; everything is pushed away.',
  camera: { position: [0, 9, 18], target: [0, 2, 0] },
  Content,
};
