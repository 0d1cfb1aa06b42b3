/** The character and the car of ecctrl, unchanged: the same script of keys and frames on this library and on its own. */
import { act, type JSX } from 'react';
import { create } from '@react-three/test-renderer';
import * as peer from '@react-three/rapier';
import { expect, onTestFinished, test } from 'vitest';
import { CourseContent } from '../../examples/ecctrl/src/course.js';
import { CourseContent as PeerContent } from '../../examples/ecctrl/src/course.js?peer';
import type { Driver } from '../../examples/ecctrl/src/driver.js';
import { ScriptPlayer, type Leg, type Measured } from '../../examples/ecctrl/src/script.js';
import * as ours from '../../src/react/index.js';
import { present } from '../fixtures/present.js';
import { setActing } from './run-scene.js';

const ALL = [0, 9] as const;
const LEGS: readonly Leg[] = [
  { name: 'settle', seconds: 1, from: [0, 3], keys: {} },
  { name: 'rest', seconds: 0.25, keys: {} },
  { name: 'walk', seconds: 1, keys: { forward: ALL } },
  { name: 'jump', seconds: 0.6, keys: { jump: [0, 0.15] } },
];

/** @param frameHz Frames a second, while there are 60 ticks. */
async function play(library: 'betwixt' | 'peer', frameHz: number) {
  setActing(true);
  const driver: Driver = { keys: new Set() };
  let step: ((seconds: number) => unknown) | undefined;
  const Ours = (): JSX.Element => {
    ({ step } = ours.useRapier());
    return <CourseContent driver={driver} />;
  };
  const Peers = (): JSX.Element => {
    ({ step } = peer.useRapier());
    return <PeerContent driver={driver} />;
  };
  const renderer = await create(
    library === 'betwixt' ? (
      <ours.Physics transport="local" paused capacity={64}>
        <Ours />
      </ours.Physics>
    ) : (
      <peer.Physics paused>
        <Peers />
      </peer.Physics>
    ),
  );
  onTestFinished(async () => {
    setActing(true);
    await renderer.unmount();
  });
  const player = new ScriptPlayer(driver, LEGS);
  await act(async () => {
    while (step === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
    for (let due = 0, goesOn = true; goesOn; due += 60 / frameHz) {
      for (; due >= 1; due -= 1) await step(1 / 60);
      await renderer.advanceFrames(1, 1 / frameHz);
      goesOn = player.frame(1 / frameHz);
    }
  });
  const carHeight = driver.car?.body.translation().y ?? 0;
  return { measured: player.measured, carHeight };
}

const legOf = (measured: readonly Measured[], name: string): Measured =>
  present(measured.find((leg) => leg.name === name));

// Most of its frames show no new tick.
test('ecctrl rests, walks, jumps and parks as it does on its own library, at 144 frames a second', async () => {
  const { measured: mine, carHeight } = await play('betwixt', 144);
  const theirs = await play('peer', 144);
  expect(legOf(mine, 'rest').moved).toBeLessThan(0.001);
  expect(legOf(mine, 'walk').moved).toBeCloseTo(legOf(theirs.measured, 'walk').moved, 2);
  expect(legOf(mine, 'jump').rose).toBeCloseTo(legOf(theirs.measured, 'jump').rose, 2);
  expect(legOf(mine, 'walk').moved).toBeGreaterThan(1);
  expect(legOf(mine, 'jump').rose).toBeGreaterThan(0.2);
  // Each frame pushes the car where its wheels are drawn, which holds it higher than at 60 frames a second.
  expect(Math.abs(carHeight - theirs.carHeight)).toBeLessThan(0.001);
  expect(legOf(mine, 'jump').carWent).toBeLessThan(0.0005);
});
