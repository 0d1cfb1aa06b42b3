/** The hand-written simulation of the part `world`: the same scenes, with one command for each thing that is done. */
import { parentPort } from 'node:worker_threads';
import { rapierSimulation } from '../../src/rapier/rapier.js';
import { nodeHost, runSimulation } from '../../src/sim-worker/index.js';
import { fillRapierWorld } from '../engines/rapier-bench.js';
import { createScene } from '../scenes/index.js';
import { HULL_NUMBERS, placeApart, type OwnSetup, type Place } from './world-scene.js';

if (parentPort === null) throw new Error('this file is a worker');

export const simulation = runSimulation(
  rapierSimulation(({ rapier, physics, context }) => {
    const { ColliderDesc, RigidBodyDesc } = rapier;
    const { world } = physics;
    const { heap, apart } = context.setup as unknown as OwnSetup;
    const add = ({ x, y, z }: Place) =>
      world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(x, y, z));
    world.gravity = { x: 0, y: heap > 0 ? -9.81 : 0, z: 0 };
    const boxes = heap > 0 ? fillRapierWorld(rapier, world, createScene('heap', heap, 1)) : [];
    for (const box of boxes) physics.add(box);
    const bodies = Array.from({ length: apart }, (_, index) => {
      const body = add(placeApart(index));
      world.createCollider(ColliderDesc.ball(0.5).setMass(1), body);
      physics.add(body);
      return body;
    });
    return {
      commands: {
        push: (impulses: Float32Array) => {
          for (const [index, body] of bodies.entries()) {
            const [x = 0, y = 0, z = 0] = impulses.subarray(3 * index, 3 * index + 3);
            body.applyImpulse({ x, y, z }, true);
          }
        },
        create: (numbers: Float32Array) => {
          for (let at = 0; at < numbers.length; at += HULL_NUMBERS) {
            const [x = 0, y = 0, z = 0] = numbers.subarray(at, at + 3);
            const body = add({ x, y, z });
            const hull = ColliderDesc.convexHull(numbers.slice(at + 3, at + HULL_NUMBERS));
            if (hull !== null) world.createCollider(hull, body);
            physics.add(body);
          }
        },
      },
    };
  }),
  nodeHost(parentPort),
);
