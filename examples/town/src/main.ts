/** A town of a glTF file, in which one walks. The file says what has physics, and how. */
import { BodyBinding, addGltf, watchContext } from 'betwixt/three';
import { ColliderDesc, type RigidBody, RigidBodyDesc, createWorld } from 'betwixt/world';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { element, fail } from '../../stage/page.js';
import { Balls } from './balls.js';
import { watchControls } from './controls.js';
import { FollowCamera } from './follow-camera.js';
import * as rules from './level.js';
import { furnish, paint } from './look.js';

// 1. The picture.
const canvas = element('canvas');
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
watchContext(canvas);
renderer.shadowMap.enabled = true;
renderer.toneMapping = THREE.ACESFilmicToneMapping;
const scene = new THREE.Scene();
const light = furnish(scene);
const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 900);
const view = new FollowCamera(camera, innerWidth < innerHeight ? -0.08 : 0.12, 0.06);
function resize(): void {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 1.5));
  renderer.setSize(innerWidth, innerHeight, false);
  view.resize(innerWidth / innerHeight);
}
resize();
addEventListener('resize', resize);

// 2. The town and its physics.
const world = createWorld({ queries: true, startPaused: true });
const [output, progress] = [element('output'), element('progress')];
const gltf = await new GLTFLoader()
  .loadAsync(new URL('../town.glb', import.meta.url).href, ({ loaded, total }) => {
    if (total > 0) progress.value = (0.7 * loaded) / total;
  })
  .catch(fail);
paint(gltf.scene);
scene.add(gltf.scene);
const level = await addGltf(world, gltf).catch(fail);
rules.weigh(level);
const isWall = rules.wallsOf(level);
const nameOf = new Map<RigidBody | undefined, string>();
for (const [name, body] of level.bodies) nameOf.set(body, name);
const mixer = new THREE.AnimationMixer(gltf.scene);
const [walking] = gltf.animations.map((clip) => mixer.clipAction(clip).play()).slice(-1);

// 3. The character: a capsule, and the part of the model that draws it.
const { HALF_HEIGHT, JUMP_SPEED, RADIUS, SPEED, START } = rules;
const body = world.createRigidBody(
  RigidBodyDesc.kinematicPositionBased().setTranslation(START.x, START.y, START.z),
);
const collider = world.createCollider(ColliderDesc.capsule(HALF_HEIGHT, RADIUS), body);
const character = world.createCharacter(
  collider,
  rules.character().setInputs({
    speed: SPEED,
    jumpSpeed: JUMP_SPEED,
    gamepads: [0, 1],
    keys: { left: ['KeyA'], right: ['KeyD'] },
  }),
);
const walker = gltf.scene.getObjectByName('Walker') as THREE.Object3D;
const player = new THREE.Group().add(walker);
walker.position.set(0, rules.FEET, 0);

// 4. Another binding draws the character and the balls.
const drawn = new Map<number, THREE.Object3D>([[body.handle, player]]);
const bodies = new BodyBinding();
const sim = await world.ready.catch(fail);
bodies.populate(sim, (handle) => drawn.get(handle), { parent: scene });
const balls = new Balls(world, drawn);
const head = new THREE.Vector3();
const ahead = new THREE.Vector3();
const throwBall = () => balls.throw(head, view.camera.getWorldDirection(ahead));
const readControls = watchControls(canvas, sim, {
  look: (right, down) => view.look(right, down),
  throwBall,
});

// 5. Who falls into the sea starts again, and the button puts everything back.
const inSea = level.sensors.get('Sea')?.[0];
world.on('collision', ({ started, collider1, collider2 }) => {
  const isInSea = collider1 === inSea || collider2 === inSea;
  const isPlayer = collider1 === collider || collider2 === collider;
  if (started && isInSea && isPlayer) body.setTranslation(START, true);
});
progress.value = 0.9;
world.flush();
await sim.step(rules.SETTLING_TICKS);
rules.letBreak(level);
world.flush();
await sim.step();
const saved = await sim.save();
const button = (id: string) => document.querySelector(`#${id}`) as HTMLButtonElement;
button('jump').addEventListener('click', () => character.jump(JUMP_SPEED));
button('throw').addEventListener('click', throwBall);
button('restart').addEventListener('click', () => {
  balls.forget();
  sim.restore(saved).catch(fail);
});

// 6. Each frame.
let lastMs: number | undefined;
function frame(stamp: number): void {
  const seconds = Math.min(0.1, (stamp - (lastMs ?? stamp)) / 1000);
  lastMs = stamp;
  readControls(stamp, seconds);
  character.setForward(view.forward);
  const { x, z } = character.velocity;
  const pace = Math.hypot(x, z);
  if (pace > 0.5) rules.turn(walker, Math.atan2(-x, -z), seconds);
  walking?.setEffectiveTimeScale(pace / 2.2).setEffectiveWeight(Math.min(1, pace / 2));
  mixer.update(seconds);
  const sampled = world.sample(stamp);
  level.update(sampled);
  bodies.update(sampled);
  head.copy(player.position).setY(player.position.y + 0.7);
  view.update(world, head, isWall, seconds);
  walker.visible = !view.isClose;
  output.textContent = whereabouts();
  light.update(player.position, stamp / 1000);
  renderer.render(scene, view.camera);
}
/** The names of nodes are those of bodies. */
function whereabouts(): string {
  const { isGrounded, ground } = character;
  return isGrounded ? `On ${nameOf.get(ground) ?? 'foot'}` : 'In the air';
}
// Shaders are compiled by the first picture.
frame(performance.now());
await sim.resume();
progress.hidden = true;
renderer.setAnimationLoop(frame);

/** For the browser's console. */
Object.assign(globalThis, { world, level, scene, view, character, renderer });
