/** A player with a beam, a ray that goes through its own team, and with bullets, which are bodies. What is hit goes. */
import { RigidBody, useRapier } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef, useState } from 'react';
import { Quaternion, Vector3 } from 'three';
import { axis, held } from '../common/held.js';
import { Ball, Box, Plate } from '../common/meshes.js';
import { colorOf } from '../../../stage/stage.js';

const OTHERS = [
  { name: 'friend', team: 'blue', position: [0, 0.5, -2] },
  { name: 'near', team: 'red', position: [0, 0.5, -6] },
  { name: 'far', team: 'red', position: [0, 0.5, -9] },
  { name: 'right', team: 'red', position: [5, 0.5, -5] },
  { name: 'left', team: 'red', position: [-5, 0.5, -5] },
];
const COOL_DOWN = 0.5;
const UP = new Vector3(0, 1, 0);
const turn = new Quaternion();

function Player({ onBeam, onBullet }) {
  const player = useRef();
  const angle = useRef(0);
  const cool = useRef(0);
  const { rapier, world } = useRapier();

  useFrame((_, delta) => {
    const body = player.current;
    if (!body) return;
    angle.current += axis('KeyA', 'KeyD') * delta * 1.5;
    body.setRotation(turn.setFromAxisAngle(UP, angle.current));
    cool.current -= delta;
    if (cool.current > 0 || !(held.has('KeyE') || held.has('KeyF'))) return;
    cool.current = COOL_DOWN;

    const direction = new Vector3(0, 0, -1).applyQuaternion(turn);
    const origin = body.translation();
    if (held.has('KeyF')) return onBullet(origin, direction);
    const isEnemy = (collider) => collider.parent()?.userData?.team !== 'blue';
    const ray = new rapier.Ray(origin, direction);
    const hit = world.castRay(ray, 50, true, undefined, undefined, undefined, body, isEnemy);
    if (hit) onBeam(hit.collider.parent().userData.name);
  });

  return (
    <RigidBody
      ref={player}
      type="kinematicPosition"
      position={[0, 0.5, 0]}
      userData={{ team: 'blue', name: 'player' }}
    >
      <Box color={colorOf(1)} />
      <Box color="#22262d" args={[0.2, 0.2, 1]} position={[0, 0.2, -0.7]} />
    </RigidBody>
  );
}

function Content() {
  const [gone, setGone] = useState([]);
  const [bullets, setBullets] = useState([]);
  const remove = (name) => setGone((names) => [...names, name]);
  const shoot = (origin, direction) =>
    setBullets((all) => [...all, { key: all.length, origin, direction }]);
  const hit = ({ target, other }) => {
    if (other.rigidBody?.userData?.team !== 'red') return;
    remove(other.rigidBody.userData.name);
    remove(target.rigidBody.userData.name);
  };
  return (
    <>
      <Player onBeam={remove} onBullet={shoot} />
      {OTHERS.filter(({ name }) => !gone.includes(name)).map(({ name, team, position }) => (
        <RigidBody key={name} position={position} userData={{ name, team }}>
          <Box color={colorOf(team === 'red' ? 2 : 1)} />
        </RigidBody>
      ))}
      {bullets
        .filter(({ key }) => !gone.includes(`bullet ${key}`))
        .map(({ key, origin: { x, y, z }, direction }) => (
          <RigidBody
            key={key}
            ccd
            colliders="ball"
            gravityScale={0}
            position={[x + direction.x * 1.6, y, z + direction.z * 1.6]}
            linearVelocity={[direction.x * 20, 0, direction.z * 20]}
            onCollisionEnter={hit}
            userData={{ name: `bullet ${key}` }}
          >
            <Ball color="#f2e2b6" args={[0.15, 16, 8]} />
          </RigidBody>
        ))}
      <RigidBody type="fixed">
        <Plate size={30} />
      </RigidBody>
    </>
  );
}

export const scene = {
  camera: { position: [0, 7, 9], target: [0, 0, -3], aspect: 0.9 },
  keys: 'ADEF',
  Content,
};
