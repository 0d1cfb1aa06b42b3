/** A world whose bodies come, are pushed and go, for minutes: none is mixed up, no change is lost, and nothing is left behind. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ColliderDesc,
  RigidBodyDesc,
  createWorld,
  type RigidBody,
} from '../../src/world/page/index.js';
import { runLocally } from '../../src/sim-worker/local.js';
import { createWorldSimulation } from '../../src/world/worker/index.js';
import { seededRandom } from '../fixtures/seeded-random.js';
import { stepsOf, walk, type Operations } from '../fixtures/walk.js';
import { report } from './attack.js';
import { usedBytes } from './heap.js';
import { LIMIT_MS, SEED } from './limits.js';

/** Bodies that come at once. */
const GROUP = 17;
const MOST_BODIES = 6 * GROUP;
/** Exact in 32 bits, and so are sums of millions of them. */
const IMPULSE = { x: 2 ** -10, y: 0, z: 0 };
const WALK_LENGTH = 50;
/** At 100 bodies, a few more than are sent before they are answered. */
const MOST_TURNS = 200;

/** Walks until caches are full and code is compiled: growth is counted from then on. */
const WARM_UP = 15;
/** Walks that distinguish growth from noise. */
const MEASURABLE = 30;
/** A body that is kept with its collider takes thirty times as much; the bytes that compilers keep decrease. */
const MAX_BYTES_PER_BODY = 30;

interface Member {
  readonly body: RigidBody;
  /** A separate place, out of which nothing moves the body. */
  readonly y: number;
  /** Along x. */
  speed: number;
}

class Crowd {
  /** In this thread, so that one heap has the page and the worker. */
  readonly world = createWorld({
    startPaused: true,
    gravity: { x: 0, y: 0, z: 0 },
    // A recording grows, by design.
    recording: false,
    recovery: 'none',
    transport: 'local',
    createWorker: () => runLocally(createWorldSimulation()),
  });
  /** The oldest first. */
  readonly members: Member[] = [];
  #frameMs = performance.now() + 1000;
  added = 0;

  renew(): void {
    if (this.members.length >= MOST_BODIES) {
      for (const { body } of this.members.splice(0, GROUP)) this.world.removeRigidBody(body);
    }
    for (let count = 0; count < GROUP; count++) {
      this.added += 1;
      // Far enough from the others, and exact in 32 bits.
      const y = 4 * (this.added % 2 ** 20);
      const body = this.world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, y, 0));
      this.world.createCollider(ColliderDesc.ball(0.5).setMass(1), body);
      this.members.push({ body, y, speed: 0 });
    }
  }

  push(): void {
    for (let count = 0; count < 10; count++) {
      for (const member of this.members) {
        member.body.applyImpulse(IMPULSE, true);
        member.speed += IMPULSE.x;
      }
    }
  }

  change(random: () => number): void {
    for (const member of this.members) {
      const choice = random();
      if (choice < 0.5) {
        member.body.applyImpulse(IMPULSE, choice < 0.4);
        member.speed += IMPULSE.x;
      } else if (choice < 0.8) {
        member.body.addForce({ x: 1, y: 0, z: 0 }, true);
        member.body.resetForces(true);
      } else {
        member.speed = Math.floor(100 * choice);
        member.body.setLinvel({ x: member.speed, y: 0, z: 0 }, true);
      }
    }
  }

  sample(): void {
    this.#frameMs += 1000 / 60;
    this.world.sample(this.#frameMs);
  }

  async tick(): Promise<void> {
    await (await this.world.ready).step(1);
    this.sample();
  }

  /** Three ticks after the last change. */
  async check(): Promise<void> {
    for (let tick = 0; tick < 3; tick++) await this.tick();
    const { bodies, colliders } = this.world;
    const count = this.members.length;
    expect([bodies.len(), colliders.len()]).toEqual([count, count]);
    const found = this.members.map(({ body }) => [body.translation().y, body.linvel().x]);
    expect(found).toEqual(this.members.map(({ y, speed }) => [y, speed]));
    const ids = new Set(this.members.flatMap(({ body }) => body.id ?? []));
    expect(ids.size).toBe(count);
  }
}

const OPERATIONS: Operations<Crowd> = {
  renew: [4, (crowd) => crowd.renew()],
  push: [3, (crowd) => crowd.push()],
  change: (crowd, n) => crowd.change(seededRandom(n)),
  /** Many turns without a tick, in each of which all are changed. */
  async pause(crowd, n) {
    const random = seededRandom(n);
    for (let turn = n % MOST_TURNS; turn > 0; turn--) {
      crowd.change(random);
      await Promise.resolve();
      if (random() < 0.1) crowd.sample();
    }
  },
  tick: [4, (crowd) => crowd.tick()],
};

test('worlds: bodies that come, are pushed and go are never mixed up, and nothing is lost or left behind', async () => {
  const crowd = new Crowd();
  const steps = stepsOf(OPERATIONS, { minLength: WALK_LENGTH, maxLength: WALK_LENGTH, max: 2e9 });
  const endMs = performance.now() + LIMIT_MS;
  let warmBytes = 0;
  let warmBodies = 0;
  let walks = 0;
  do {
    const [drawn = []] = fc.sample(steps, { seed: SEED + walks, numRuns: 1 });
    await walk(OPERATIONS, crowd, drawn);
    await crowd.check();
    walks += 1;
    if (walks === WARM_UP) [warmBytes, warmBodies] = [await usedBytes(), crowd.added];
  } while (performance.now() < endMs);
  report(crowd.added, 'bodies');
  if (walks >= WARM_UP + MEASURABLE) {
    const bytes = (await usedBytes()) - warmBytes;
    expect(bytes / (crowd.added - warmBodies)).toBeLessThan(MAX_BYTES_PER_BODY);
  }
  await crowd.world.dispose();
});
