/** The town's rules, which its file does not have. */
import type { AddedGltf } from 'betwixt/three';
import { CharacterDesc, type Collider } from 'betwixt/world';
import type { Object3D } from 'three';

/** Where the character begins. */
export const START = { x: -2.4, y: 0.9, z: 17 };
export const SPEED = 4.2;
export const JUMP_SPEED = 5.2;
/** Half of the height of its capsule, in m. */
export const HALF_HEIGHT = 0.55;
export const RADIUS = 0.32;
/** How far its drawing is below its middle, in m. */
export const FEET = -0.87;

export const character = (): CharacterDesc =>
  new CharacterDesc()
    .enableAutostep(0.32, 0.15, false)
    .enableSnapToGround(0.3)
    .setCharacterMass(60)
    .setApplyImpulsesToDynamicBodies(true);

/** A name says that a body moves, but not what it weighs. */
export function weigh({ bodies }: AddedGltf): void {
  for (const [name, body] of bodies) {
    if (name.startsWith('Barrel')) body.setAdditionalMass(8, true);
    if (name.startsWith('Ring')) body.setAdditionalMass(1, true);
  }
}

/** How much a hinge of the bridge carries, in N. At rest it is 2,100 N. */
const BRIDGE_FORCE = 3700;
/** How long the bridge takes until it hangs at rest. */
export const SETTLING_TICKS = 90;

/** Once the bridge hangs, its joints may break: glTF does not say what a joint carries. */
export function letBreak({ joints }: AddedGltf): void {
  for (const [name, joint] of joints) {
    if (/^(Hinge|BridgeEnd)/.test(name)) joint.setBreakForce(BRIDGE_FORCE, Infinity);
  }
}

/** @returns Whether a collider stays, or is a door's: crates and balls do not push the camera. */
export function wallsOf({ bodies }: AddedGltf): (collider: Collider) => boolean {
  const doors = new Set([...bodies].flatMap(([name, body]) => (name.includes('Door') ? body : [])));
  return (collider) => {
    const owner = collider.parent();
    return owner?.isFixed() !== false || doors.has(owner);
  };
}

/** Turns what draws the character, by the shorter way. */
export function turn({ rotation }: Object3D, angle: number, seconds: number): void {
  const left = Math.atan2(Math.sin(angle - rotation.y), Math.cos(angle - rotation.y));
  rotation.y += left * (1 - Math.exp(-12 * seconds));
}
