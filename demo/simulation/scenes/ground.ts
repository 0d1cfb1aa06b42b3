/** The floor of most scenes. */
import { COLOR } from '../palette.js';
import { box } from '../shapes.js';
import { IDENTITY } from '../vectors.js';
import type { Material, SceneKit } from './scene-kit.js';

const THICKNESS = 1;

/** A square floor whose top is at y = 0; for the engine it is infinite. */
export function addGround(kit: SceneKit, side: number, material?: Material): void {
  const slab = box([side, THICKNESS, side], COLOR.chalk);
  kit.statics.push({ ...slab, position: [0, -THICKNESS / 2, 0], orientation: IDENTITY });
  addHalfSpace(kit, 0, material);
}

/**
 * Makes everything below a height solid, without drawing it. However deep a long step drives a body
 * into a half-space, it comes out at the top again; it could pass through a box or a mesh.
 */
export function addHalfSpace(kit: SceneKit, height: number, material: Material = {}): void {
  const { ColliderDesc, HalfSpace } = kit.rapier;
  const desc = new ColliderDesc(new HalfSpace({ x: 0, y: 1, z: 0 }))
    .setTranslation(0, height, 0)
    .setFriction(material.friction ?? 0.6)
    .setRestitution(material.restitution ?? 0);
  kit.physics.world.createCollider(desc);
}
