/** Scenes that ask the engine within a frame, played by keys: one file on both libraries, with the same outcome. */
import { useThree } from '@react-three/fiber';
import { Children, act, useLayoutEffect, type JSX, type ReactElement } from 'react';
import type { Vector2 } from 'three';
import { afterEach, expect, test } from 'vitest';
import { held } from '../../examples/react/src/common/held.js';
import { PanelContext, PanelStore } from '../../examples/react/src/common/panel.js';
import { Keys } from '../../examples/react/src/keys.js';
import type { Scene } from '../../examples/react/src/scene.js';
import { runOnPeer } from './run-on-peer.js';
import { runScene } from './run-scene.js';

interface Module {
  readonly scene: Scene;
}
type Vector = Record<'x' | 'y' | 'z', number>;

/** A body, in both libraries. */
interface Body {
  readonly userData?: unknown;
  isDynamic(): boolean;
  translation(): Vector;
  linvel(): Vector;
}

/** A body after a tick. */
interface Seen {
  readonly at: Vector;
  readonly velocity: Vector;
}

/** The bodies after each tick, by their names. Those that have none and can be moved are numbered. */
type Film = readonly (readonly [name: string, seen: Seen])[][];

interface App {
  /** For how many ticks what is held: keys by their codes, the pointer at a place. A name of a button presses it. */
  readonly script: readonly (readonly [
    ticks: number,
    keys?: string,
    pointer?: readonly [x: number, y: number],
  ])[];
  /** Figures of the outcome, and how large they are in both libraries. */
  readonly outcome: (film: Film) => Readonly<Record<string, readonly [unknown, unknown]>>;
}

/** A number that differs less than that. */
const near = (value: number, within: number): unknown =>
  expect.closeTo(value, -Math.log10(2 * within));

const seen = (film: Film, name: string, tick = -1): Seen =>
  film.at(tick)?.find(([own]) => own === name)?.[1] as Seen;
const path = (film: Film, name: string, coordinate: keyof Vector): readonly number[] =>
  film.map((_, tick) => seen(film, name, tick).at[coordinate]);
const lengthOf = ({ x, y, z }: Vector): number => Math.hypot(x, y, z);
const meanOf = (film: Film, tick: number, of: (seen: Seen) => number): number => {
  const all = film.at(tick) ?? [];
  return all.reduce((sum, [, body]) => sum + of(body), 0) / all.length;
};
/** How far bodies are, on average, from where they were. */
const distance = (film: Film, before: number, after: number): number =>
  (film.at(before) ?? []).reduce((sum, [name, { at }], _, all) => {
    const now = seen(film, name, after).at;
    const way = { x: now.x - at.x, y: now.y - at.y, z: now.z - at.z };
    return sum + lengthOf(way) / all.length;
  }, 0);

const APPS: Readonly<Record<string, App>> = {
  'marble-race': {
    script: [[60], [1, 'KeyE'], [60], [40, 'KeyW'], [1, 'KeyE'], [30, 'KeyD']],
    outcome: (film) => {
      const heights = path(film, 'marble', 'y');
      const jumps = heights.filter((y, tick) => y < 0.5 && (heights[tick + 1] ?? 0) >= 0.5);
      return {
        jumps: [jumps.length, 2],
        top: [Math.max(...heights), near(1.166, 0.02)],
        z: [seen(film, 'marble').at.z, near(-3.65, 0.1)],
      };
    },
  },
  'third-person': {
    script: [[20], [60, 'KeyD'], [1, 'KeyE'], [50], [70, 'KeyD']],
    outcome: (film) => ({
      onStep: [seen(film, 'player', 78).at.y, near(1.1, 0.01)],
      top: [Math.max(...path(film, 'player', 'y')), near(2.33, 0.02)],
      atWall: [seen(film, 'player').at.x, near(5.35, 0.01)],
    }),
  },
  shooter: {
    script: [[2], [1, 'KeyE'], [30], [1, 'KeyE'], [30], [31, 'KeyA'], [1, 'KeyF'], [30]],
    outcome: (film) => ({
      left: [film.at(-1)?.map(([name]) => name), ['player', 'friend', 'right']],
    }),
  },
  badge: {
    script: [[90], [15, 'KeyD'], [75]],
    outcome: (film) => ({
      lowest: [Math.min(...path(film, 'card', 'y')), near(0.28, 0.05)],
      tugged: [Math.max(...path(film, 'card', 'z')), near(1, 0.1)],
    }),
  },
  dragging: {
    script: [
      [2, '', [0, 0.13]],
      [2, 'Pointer'],
      [30, 'Pointer', [0, 0.4]],
      [20, 'Pointer', [0.3, 0.4]],
      [30, '', [0.3, 0.4]],
    ],
    outcome: (film) => ({
      lifted: [seen(film, 'box 2', 33).at.y, near(1.535, 0.005)],
      carried: [seen(film, 'box 2', 53).at.x, near(1.842, 0.005)],
      dropped: [seen(film, 'box 2').at.y, near(1.5, 0.01)],
    }),
  },
  'ray-car': {
    script: [[60], [80, 'KeyW'], [40, 'KeyW KeyA']],
    outcome: (film) => ({
      y: [seen(film, 'car', 59).at.y, near(0.905, 0.01)],
      speed: [seen(film, 'car', 139).velocity.z, near(-8.75, 0.2)],
      x: [seen(film, 'car').at.x, near(-0.49, 0.05)],
    }),
  },
  'lift-truck': {
    script: [[10], [85, 'KeyD'], [40], [60, 'KeyW']],
    outcome: (film) => ({
      speed: [seen(film, 'truck', 94).velocity.x, near(2.88, 0.1)],
      crate: [seen(film, 'crate').at.y, near(1.31, 0.05)],
    }),
  },
  hover: {
    script: [[40], [60, 'KeyW'], [60]],
    outcome: (film) => ({
      y: [seen(film, 'drone', 39).at.y, near(2, 0.02)],
      top: [seen(film, 'drone').at.y, near(4.03, 0.02)],
    }),
  },
  blast: {
    script: [[30], [2, 'KeyE'], [20]],
    outcome: (film) => ({
      speed: [meanOf(film, 31, ({ velocity }) => lengthOf(velocity)), near(6.62, 0.1)],
      height: [meanOf(film, -1, ({ at }) => at.y), near(2.05, 0.05)],
    }),
  },
  snapshot: {
    script: [[5], [1, 'Save'], [1], [1, 'Shoot'], [60], [1, 'Restore'], [3]],
    outcome: (film) => ({
      shot: [distance(film, 5, 66), near(1, 0.1)],
      restored: [distance(film, 5, -1), near(0, 0.02)],
    }),
  },
};

const ours = import.meta.glob<Module>('../../examples/react/src/scenes/*.{tsx,jsx}');
const theirs = import.meta.glob<Module>('../../examples/react/src/scenes/*.{tsx,jsx}', {
  query: '?peer',
});

let pointer: Vector2;
function Input(): null {
  const own = useThree((state) => state.pointer);
  useLayoutEffect(() => {
    pointer = own;
  }, [own]);
  return null;
}

/** Runs a scene on a library. @param files Of the scenes for it. */
async function play(
  run: typeof runOnPeer | typeof runScene,
  files: Record<string, () => Promise<Module>>,
  name: string,
  script: App['script'],
): Promise<Film> {
  const [, load] =
    Object.entries(files).find(([file]) => file.replace(/\.[jt]sx$/, '').endsWith(`/${name}`)) ??
    [];
  if (load === undefined) throw new Error(`there is no scene ${name}`);
  const { Content, keys: letters = '' } = (await load()).scene;
  const panels = new PanelStore();
  const running = await run(
    <PanelContext value={panels}>
      <Input />
      <Content />
    </PanelContext>,
  );
  const press = (text: string): void => {
    for (const button of [...panels.contents().values()].flatMap(Children.toArray)) {
      const { children, onClick } = (button as ReactElement<JSX.IntrinsicElements['button']>).props;
      if (children === text) onClick?.(undefined as never);
    }
  };
  const fingers: ReactElement<JSX.IntrinsicElements['button']>[] = Keys({ letters }).props.children;
  /** By the page's button, so that fingers can play what keys can. */
  const hold = (key: string): void => {
    const button = fingers.find(({ props }) => `Key${String(props.children)}` === key);
    button?.props.onPointerDown?.(undefined as never);
  };
  const film: [string, Seen][][] = [];
  const look = (): void => {
    const all: [string, Seen][] = [];
    running.world.forEachRigidBody((body: Body) => {
      const { name: own } = (body.userData ?? {}) as { name?: string };
      if (own === undefined && !body.isDynamic()) return;
      // Copies: an engine may use the same objects again.
      const [at, velocity] = [{ ...body.translation() }, { ...body.linvel() }];
      all.push([own ?? `${all.length}`, { at, velocity }]);
    });
    film.push(all);
  };
  for (const [ticks, keys = '', at] of script) {
    held.clear();
    if (keys === 'Pointer') held.add(keys);
    for (const key of keys.split(' ')) hold(key);
    if (at !== undefined) pointer.set(...at);
    await act(async () => press(keys));
    for (let tick = 0; tick < ticks; tick++) {
      await running.ticks(1);
      look();
    }
  }
  return film;
}

afterEach(() => held.clear());

test.each(Object.entries(APPS))(
  'the scene %s, played by the same keys, ends alike in both libraries',
  async (name, { script, outcome }) => {
    const films = [
      await play(runScene, ours, name, script),
      await play(runOnPeer, theirs, name, script),
    ];
    const figures = films.map(outcome).flatMap(Object.entries<readonly [unknown, unknown]>);
    expect(figures.map(([figure, [found]]) => [figure, found])).toEqual(
      figures.map(([figure, [, expected]]) => [figure, expected]),
    );
  },
);
