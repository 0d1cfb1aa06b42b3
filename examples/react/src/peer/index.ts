/** What scenes import on the other side: `@react-three/rapier`, and substitutes for what scenes use and it does not have. */
export * from '@react-three/rapier';
export { Attractor } from './attractor.js';
export { useRapier } from './snapshots.js';
export { CuboidCollider } from './one-way.js';
