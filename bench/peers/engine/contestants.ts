/** The contestants, and which of them are compared. */

export type ContestantName =
  | 'betwixt-rapier'
  | 'betwixt-rapier-meshes'
  | 'react-three-rapier'
  | 'react-three-rapier-instanced'
  | 'main-loop'
  | 'interval-worker'
  | 'betwixt-cannon'
  | 'cannon-worker-api';

export interface ContestantInfo {
  readonly label: string;
  /**
   * Contestants are compared only within an engine: otherwise engines are measured, not
   * architectures.
   */
  readonly engine: 'rapier' | 'cannon';
  /** A one-sentence description. */
  readonly about: string;
}

/** In the order of their turns. */
export const CONTESTANTS: Readonly<Record<ContestantName, ContestantInfo>> = {
  'betwixt-rapier': {
    label: 'betwixt, Rapier',
    engine: 'rapier',
    about: 'Worker at 60 Hz; bodies drawn as instances of one mesh.',
  },
  'react-three-rapier-instanced': {
    label: '@react-three/rapier, instanced',
    engine: 'rapier',
    about: 'Physics with InstancedRigidBodies on the main thread.',
  },
  'betwixt-rapier-meshes': {
    label: 'betwixt, Rapier, meshes',
    engine: 'rapier',
    about: 'Worker at 60 Hz; each body drawn as a separate mesh.',
  },
  'react-three-rapier': {
    label: '@react-three/rapier',
    engine: 'rapier',
    about: 'Physics with RigidBody on the main thread, interpolating; each body a separate mesh.',
  },
  'main-loop': {
    label: 'plain loop, Rapier',
    engine: 'rapier',
    about: 'An accumulator on the main thread, the newest state drawn as instances.',
  },
  'interval-worker': {
    label: 'setInterval worker, Rapier',
    engine: 'rapier',
    about:
      'A worker that steps every 1000 / 60 ms and posts all poses; the newest message is drawn.',
  },
  'betwixt-cannon': {
    label: 'betwixt, cannon-es',
    engine: 'cannon',
    about: 'Worker at 60 Hz; bodies drawn as instances of one mesh.',
  },
  'cannon-worker-api': {
    label: '@pmndrs/cannon-worker-api',
    engine: 'cannon',
    about: 'The worker of use-cannon, asked for a step in every frame, drawn as instances.',
  },
};

export const CONTESTANT_NAMES = Object.keys(CONTESTANTS) as readonly ContestantName[];

export interface Pair {
  readonly ours: ContestantName;
  readonly theirs: ContestantName;
}

/** Each of the others with our contestant that draws in the same way. */
export const PAIRS: readonly Pair[] = [
  { ours: 'betwixt-rapier-meshes', theirs: 'react-three-rapier' },
  { ours: 'betwixt-rapier', theirs: 'react-three-rapier' },
  { ours: 'betwixt-rapier', theirs: 'react-three-rapier-instanced' },
  { ours: 'betwixt-cannon', theirs: 'cannon-worker-api' },
  { ours: 'betwixt-rapier', theirs: 'main-loop' },
  { ours: 'betwixt-rapier', theirs: 'interval-worker' },
];

export const labelOf = (name: ContestantName): string => CONTESTANTS[name].label;

/** Pairs of chosen contestants, and alone those that are in none. */
export function comparedOf(
  chosen: readonly ContestantName[],
): readonly (readonly [ours: ContestantName, theirs?: ContestantName])[] {
  const pairs = PAIRS.filter(
    ({ ours, theirs }) => chosen.includes(ours) && chosen.includes(theirs),
  );
  const inPairs = new Set(pairs.flatMap(({ ours, theirs }) => [ours, theirs]));
  return [
    ...pairs.map(({ ours, theirs }) => [ours, theirs] as const),
    ...chosen.filter((name) => !inPairs.has(name)).map((name) => [name] as const),
  ];
}
