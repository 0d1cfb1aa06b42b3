/** Geometries that no primitive is. */
import {
  type BufferGeometry,
  LatheGeometry,
  PlaneGeometry,
  TorusGeometry,
  TorusKnotGeometry,
  Vector2,
} from 'three';

/** A knot: a hull fills it, triangles do not. About 3 m wide. */
export const knot = (size = 1): BufferGeometry => new TorusKnotGeometry(size, size * 0.3, 96, 12);

/** A ring whose middle is not the origin of its geometry. */
export const ringAside = (aside = 1): BufferGeometry =>
  new TorusGeometry(0.8, 0.3, 16, 40).translate(aside, 0, 0);

/** A pawn, 2 m high, with its foot at the origin. */
export function pawn(): BufferGeometry {
  const outline = [
    [0, 0],
    [0.7, 0],
    [0.7, 0.18],
    [0.5, 0.35],
    [0.28, 0.8],
    [0.22, 1.15],
    [0.42, 1.25],
    [0.24, 1.35],
    [0.4, 1.6],
    [0.4, 1.75],
    [0.24, 1.95],
    [0, 2],
  ] as const;
  return new LatheGeometry(
    outline.map(([x, y]) => new Vector2(x, y)),
    32,
  );
}

/** A bowl, open at the top. */
export function bowl(radius = 2): BufferGeometry {
  const steps = 12;
  const outline = [];
  for (let step = 0; step <= steps; step++) {
    const angle = (step / steps) * Math.PI * 0.45;
    outline.push(new Vector2(Math.sin(angle) * radius, radius - Math.cos(angle) * radius));
  }
  for (let step = steps; step >= 0; step--) {
    const angle = (step / steps) * Math.PI * 0.45;
    const inner = radius * 0.92;
    outline.push(new Vector2(Math.sin(angle) * inner, radius - Math.cos(angle) * inner));
  }
  return new LatheGeometry(outline, 48);
}

/** Ground with waves, whose normal points up. */
export function waves(size: number, height: number, segments = 40): BufferGeometry {
  const geometry = new PlaneGeometry(size, size, segments, segments).rotateX(-Math.PI / 2);
  const { position } = geometry.attributes;
  for (let index = 0; index < (position?.count ?? 0); index++) {
    const x = position?.getX(index) ?? 0;
    const z = position?.getZ(index) ?? 0;
    position?.setY(index, height * (Math.sin(x * 0.7) + Math.cos(z * 0.6)));
  }
  geometry.computeVertexNormals();
  return geometry;
}
