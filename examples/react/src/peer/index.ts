/** The imports of scenes on the other side: `@react-three/rapier`, and substitutes for names that it does not have. */
export * from '@react-three/rapier';
export { Attractor } from './attractor.js';
export { useRapier } from './snapshots.js';
export { CuboidCollider } from './one-way.js';
