import type { SimulationHandle } from 'betwixt';
import type { Object3D } from 'three';

/** Codes of the application's inputs; the device is the hand. */
export const HAND = { position: 0, rotation: 1 } as const;

/** Call it in each frame. @param controller What `renderer.xr.getControllerGrip(hand)` returns. */
export function pushHand(sim: SimulationHandle, hand: number, controller: Object3D): void {
  const { x, y, z } = controller.position;
  const { x: qx, y: qy, z: qz, w: qw } = controller.quaternion;
  const input = { kind: 'custom', device: hand } as const;
  const stamp = performance.now();
  sim.inputs.push({ ...input, code: HAND.position, x, y, z, w: 0 }, stamp);
  sim.inputs.push({ ...input, code: HAND.rotation, x: qx, y: qy, z: qz, w: qw }, stamp);
}
