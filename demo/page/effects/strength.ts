/** How strong an event looks and sounds. Pure, so that it can be tested. */
import type { BodyLook, Part, Shape } from '../../contract/scene-contract.js';

/** Forces in kN: barely visible, and the maximum. Scenes span four powers of ten. */
const FORCE = { min: 1, max: 3000 } as const;

/** From 0 to 1, by the order of magnitude. @param force In kN: lengths are m, masses t. */
export function strengthOf(force: number): number {
  const share = Math.log(force / FORCE.min) / Math.log(FORCE.max / FORCE.min);
  return Math.min(1, Math.max(0, share));
}

/** About how large a body is: the radius of its first part, in metres. */
export function radiusOf({ parts }: BodyLook): number {
  const [first] = parts as readonly [Part?];
  return first === undefined ? 1 : shapeRadius(first.shape);
}

function shapeRadius(shape: Shape): number {
  switch (shape.kind) {
    case 'box':
      return Math.cbrt(shape.size[0] * shape.size[1] * shape.size[2]) / 2;
    case 'ball':
      return shape.radius;
    case 'capsule':
    case 'cylinder':
    case 'cone':
      return Math.cbrt(shape.radius * shape.radius * (shape.height / 2));
    case 'hull':
    case 'mesh':
      return 0.4;
  }
}
