/** See `scripts/test/peer-on-our-engine.ts`. */
declare module '@react-three/rapier?our-engine' {
  export * from '@react-three/rapier';
}
