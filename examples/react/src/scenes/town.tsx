/** A town of a glTF file that says what has physics, a character that walks in it, and a camera that does not go through walls. */
import {
  BallCollider,
  CapsuleCollider,
  GltfPhysics,
  RigidBody,
  useCharacter,
  useRapier,
  type AddedGltf,
  type IntersectionEnterPayload,
  type RapierRigidBody,
} from 'betwixt/react';
import { useFrame, useLoader, useThree } from '@react-three/fiber';
import { Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState, type JSX } from 'react';
import {
  AnimationMixer,
  Vector3,
  type AnimationAction,
  type AnimationClip,
  type Object3D,
  type PerspectiveCamera,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { dragOrClick } from '../common/drag-or-click.js';
import { axis, held } from '../common/held.js';
import { LONGEST_FRAME } from '../common/longest-frame.js';
import { Ball } from '../common/meshes.js';
import { colorOf } from '../../../stage/stage.js';
import { FollowCamera } from '../../../town/src/follow-camera.js';
import * as rules from '../../../town/src/level.js';
import { furnish, paint } from '../../../town/src/look.js';
import type { Scene } from '../scene.js';

const MODEL = new URL('../../../town/town.glb', import.meta.url).href;
const { x, y, z } = rules.START;
const MOST_BALLS = 24;
/** By how many radians a drag turns. */
const LOOK_PER_PX = 0.005;
const [velocity, right, head] = [new Vector3(), new Vector3(), new Vector3()];

/** Sky, sea and sun. */
function Outdoors(): null {
  const scene = useThree((state) => state.scene);
  const light = useRef<ReturnType<typeof furnish>>(null);
  useLayoutEffect(() => {
    light.current = furnish(scene);
    return light.current.dispose;
  }, [scene]);
  useFrame(({ camera, clock }) => light.current?.update(camera.position, clock.elapsedTime));
  return null;
}

function Town(): JSX.Element {
  const { world, isPaused } = useRapier();
  const gltf = useLoader(GLTFLoader, MODEL);
  const [level, setLevel] = useState<AddedGltf | null>(null);
  useLayoutEffect(() => paint(gltf.scene), [gltf]);

  const figure = gltf.nodes['Walker'] as Object3D;
  const [mixer, walk] = useMemo(() => {
    const made = new AnimationMixer(gltf.scene);
    const play = (clip: AnimationClip) =>
      made.clipAction(clip, clip.name === 'Walk' ? figure : undefined).play();
    return [made, gltf.animations.map(play).at(-1) as AnimationAction];
  }, [gltf, figure]);
  // Before bodies are drawn: the lift is one.
  useFrame((_, delta) => {
    if (!isPaused) mixer.update(Math.min(delta, LONGEST_FRAME));
  }, -2);

  const hangsAt = useRef(Infinity);
  useEffect(() => {
    if (!level) return;
    rules.weigh(level);
    hangsAt.current = world.frame.newestTick + rules.SETTLING_TICKS;
  }, [level, world]);
  useFrame(() => {
    if (!level || world.frame.newestTick < hangsAt.current) return;
    hangsAt.current = Infinity;
    rules.letBreak(level);
  });

  return (
    <>
      <GltfPhysics gltf={gltf} ref={setLevel} />
      {/* Not before: it would fall. */}
      {level && <Player level={level} figure={figure} walk={walk} />}
    </>
  );
}

interface PlayerProps {
  readonly level: AddedGltf;
  /** Draws the player. */
  readonly figure: Object3D;
  readonly walk: AnimationAction;
}

function Player({ level, figure, walk }: PlayerProps): JSX.Element {
  const { world } = useRapier();
  const camera = useThree((state) => state.camera) as PerspectiveCamera;
  const canvas = useThree((state) => state.gl.domElement);
  const aspect = useThree((state) => state.size.width / state.size.height);
  const body = useRef<RapierRigidBody>(null);
  const character = useCharacter(body, useMemo(rules.character, []));
  const view = useMemo(() => new FollowCamera(camera, 0.1, 0.06), [camera]);
  const isWall = useMemo(() => rules.wallsOf(level), [level]);
  const [balls, setBalls] = useState<readonly { key: number; at: Vector3; way: Vector3 }[]>([]);
  useLayoutEffect(() => view.resize(aspect), [view, aspect]);

  useEffect(() => {
    const look = (byX: number, byY: number) => view.look(byX * LOOK_PER_PX, byY * LOOK_PER_PX);
    return dragOrClick(canvas, look, () => {
      const way = camera.getWorldDirection(new Vector3());
      const at = head.clone().addScaledVector(way, 0.7);
      way.multiplyScalar(12).y += 2;
      setBalls((all) => {
        const key = (all.at(-1)?.key ?? 0) + 1;
        return [...all, { key, at, way }].slice(-MOST_BALLS);
      });
    });
  }, [camera, canvas, view]);

  useFrame((_, delta) => {
    velocity.copy(view.forward);
    right.crossVectors(velocity, camera.up).multiplyScalar(axis('KeyD', 'KeyA'));
    velocity.multiplyScalar(axis('KeyW', 'KeyS')).add(right).setLength(rules.SPEED);
    character.current?.move(velocity);
    if (held.has('KeyE')) character.current?.jump(rules.JUMP_SPEED);

    const walked = character.current?.velocity ?? velocity;
    const pace = Math.hypot(walked.x, walked.z);
    if (pace > 0.5) rules.turn(figure, Math.atan2(-walked.x, -walked.z), delta);
    walk.setEffectiveTimeScale(pace / 2.2).setEffectiveWeight(Math.min(1, pace / 2));

    // Where it is drawn.
    figure.getWorldPosition(head).y += 0.7 - rules.FEET;
    view.update(world, head, isWall, delta);
    figure.visible = !view.isClose;
  });

  const startAgain = ({ other }: IntersectionEnterPayload): void => {
    if (other.collider === level.sensors.get('Sea')?.[0])
      body.current?.setTranslation(rules.START, true);
  };
  return (
    <>
      <RigidBody
        ref={body}
        name="player"
        type="kinematicPosition"
        colliders={false}
        position={[x, y, z]}
        onIntersectionEnter={startAgain}
      >
        <CapsuleCollider args={[rules.HALF_HEIGHT, rules.RADIUS]} />
        <primitive object={figure} position={[0, rules.FEET, 0]} />
      </RigidBody>
      {balls.map(({ key, at, way }) => (
        <RigidBody key={key} ccd colliders={false} position={at} linearVelocity={way.toArray()}>
          <BallCollider args={[0.17]} mass={4} restitution={0.35} />
          <Ball color={colorOf(key)} args={[0.17, 24, 12]} />
        </RigidBody>
      ))}
    </>
  );
}

const Content = (): JSX.Element => (
  <>
    <Outdoors />
    <Suspense>
      <Town />
    </Suspense>
  </>
);

export const scene: Scene = { keys: 'WASDE', Content };
