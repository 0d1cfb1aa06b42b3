/** The examples in the gallery, the most impressive first. */
import { SCENES } from '../react/src/scene-texts.js';

export interface Card {
  /** Name of its picture in `pictures`: the name of its folder here, or of its scene after `react-`. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Relative to the gallery. */
  readonly address: string;
  /** The same on `@react-three/rapier`, if it runs there. */
  readonly peer?: string | undefined;
}

const page = (name: string, title: string, about: string, more: Partial<Card> = {}): Card => ({
  name,
  title,
  about,
  address: `./${name}/`,
  ...more,
});

export const PAGES: readonly Card[] = [
  page(
    'town',
    'A town',
    'A walk through a glTF model: doors, a lift, crates, and a bridge that breaks.',
  ),
  page('vehicle', 'A drive', 'A car with suspension jumps off ramps into crates.'),
  page('pool', 'Pool', 'A whole game with a rewind and a replay, on a table with a turning bar.'),
  page(
    'flag',
    'A flag',
    'Cloth and a rope in the wind, simulated without an engine at 30 ticks per second.',
  ),
  page('rooms', 'Sumo', 'Eight players push each other off a disc, over a network.'),
  page('character', 'A walk', 'A character climbs stairs, pushes crates and rides a lift.'),
  page(
    'headset',
    'In a headset',
    'Hands push, grab and throw boxes. An emulator shows it without a headset.',
  ),
  page('basic', 'Toys', 'Meshes of any geometry get physics by one call. Drag and toss them.'),
  page(
    'joints',
    'Hinges',
    'A chain, a door that breaks off, a swing, belts and rings, with lines of the engine.',
  ),
  page(
    'jolt',
    'Another engine',
    'Jolt Physics as a simulation of one’s own: inputs, events, queries, replays.',
  ),
  page('ecctrl', 'ecctrl', 'The character and the car of ecctrl run unchanged in a worker.', {
    peer: './ecctrl/?library=rapier',
  }),
  page('boxes', 'Boxes', 'A world that the page makes, without a worker script.'),
];

export const REACT_SCENES: readonly Card[] = SCENES.map(
  ({ name, title, about, hasPeer = true }) => ({
    name: `react-${name}`,
    title,
    about,
    address: `./react.html?scene=${name}`,
    peer: hasPeer ? `./react.html?scene=${name}&library=rapier` : undefined,
  }),
);
