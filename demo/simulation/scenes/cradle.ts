/**
 * Newton's cradle.
 *
 * A contact solver spreads one hit over all touching balls, unlike steel. But equal balls in an
 * elastic hit just swap their motions, so the balls swing through one another here and are put in
 * order after each step: the leftmost motion belongs to the leftmost ball. That is exact at any
 * step length, and each ball is still a body that can be shot at and pulled.
 */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import type { RigidBodyRef } from '../../../src/rapier/rapier.js';
import type { Vector } from '../../contract/scene-contract.js';
import { COLOR } from '../palette.js';
import { ball, box, cylinder } from '../shapes.js';
import { X, Z, rotationAbout } from '../vectors.js';
import type { SceneKit } from './scene-kit.js';

const RADIUS = 0.42;
const LENGTH = 2.6;
/** Half the distance between the two bars that the strings hang from. */
const BARS = 0.8;
const STRING_RADIUS = 0.018;
/** Angle of the pulled balls at first, in radians. */
const PULLED = -0.85;
const CRADLE_GROUP = 2;

interface Swing {
  /** From straight down, in radians. */
  readonly angle: number;
  readonly speed: number;
}

interface Hanging {
  readonly body: RigidBody;
  /** Where its strings end. */
  readonly pivot: Vector;
}

export class Cradle {
  readonly #balls: readonly { readonly ref: RigidBodyRef; readonly pivot: Vector }[];
  readonly #position = { x: 0, y: 0, z: 0 };
  readonly #spin = { x: 0, y: 0, z: 0 };

  /** @param at Middle of the balls at rest. @param pulled How many start pulled aside. */
  constructor(kit: SceneKit, at: Vector, balls: number, pulled: number) {
    const first = at[0] - (balls - 1) * RADIUS;
    this.#balls = Array.from({ length: balls }, (_, index) => {
      const pivot: Vector = [first + index * 2 * RADIUS, at[1] + LENGTH, at[2]];
      return { ref: kit.physics.ref(addBall(kit, pivot, index < pulled)), pivot };
    });
    addFrame(kit, at, balls * RADIUS + 0.5);
  }

  /** Puts the balls in order; call it after each step. */
  settle(): void {
    const hanging = this.#balls.flatMap(({ ref, pivot }): Hanging[] =>
      ref.body ? [{ body: ref.body, pivot }] : [],
    );
    const swings = hanging.map((one): Swing => this.#swingOf(one));
    if (
      swings.every(({ angle }, index) => index === 0 || angle >= (swings[index - 1]?.angle ?? 0))
    ) {
      return;
    }
    swings.sort((a, b) => a.angle - b.angle);
    hanging.forEach((one, index) => setSwing(one, swings[index]));
  }

  #swingOf({ body, pivot: [x, y] }: Hanging): Swing {
    const position = body.translation(this.#position);
    return {
      angle: Math.atan2(position.x - x, y - position.y),
      speed: body.angvel(this.#spin).z,
    };
  }
}

function setSwing({ body, pivot }: Hanging, swing: Swing | undefined): void {
  if (swing === undefined) return;
  const { angle, speed } = swing;
  const [x, y, z] = hangingAt(pivot, angle);
  const [qx, qy, qz, qw] = rotationAbout(Z, angle);
  const along = speed * LENGTH;
  body.setTranslation({ x, y, z }, true);
  body.setRotation({ x: qx, y: qy, z: qz, w: qw }, true);
  body.setLinvel({ x: along * Math.cos(angle), y: along * Math.sin(angle), z: 0 }, true);
  body.setAngvel({ x: 0, y: 0, z: speed }, true);
}

function hangingAt([x, y, z]: Vector, angle: number): Vector {
  return [x + Math.sin(angle) * LENGTH, y - Math.cos(angle) * LENGTH, z];
}

function addBall(kit: SceneKit, pivot: Vector, isPulled: boolean): RigidBody {
  const angle = isPulled ? PULLED : 0;
  const slant = Math.atan2(BARS, LENGTH);
  const strings = [-1, 1].map((side) =>
    cylinder(STRING_RADIUS, Math.hypot(LENGTH, BARS), COLOR.slate, {
      offset: [0, LENGTH / 2, (side * BARS) / 2],
      rotation: rotationAbout(X, side * slant),
    }),
  );
  const body = kit.add(ball(RADIUS, COLOR.mist), {
    position: hangingAt(pivot, angle),
    rotation: rotationAbout(Z, angle),
    decoration: strings,
    density: 4,
    friction: 0.1,
    restitution: 0.9,
    group: CRADLE_GROUP,
    isRestless: true,
  });
  const [x, y, z] = pivot;
  const joint = kit.rapier.JointData.revolute(
    { x, y, z },
    { x: 0, y: LENGTH, z: 0 },
    { x: 0, y: 0, z: 1 },
  );
  kit.join(joint, kit.anchor, body);
  return body;
}

function addFrame(kit: SceneKit, [x, y, z]: Vector, half: number): void {
  const top = y + LENGTH;
  for (const side of [-1, 1]) {
    const bar = z + side * BARS;
    kit.addStatic(box([2 * half, 0.12, 0.12], COLOR.slate), [x, top, bar]);
    for (const end of [-1, 1]) {
      kit.addStatic(box([0.12, top, 0.12], COLOR.slate), [x + end * half, top / 2, bar]);
    }
  }
}
