/** An emulated headset, whose frames have time stamps that lie ahead. */
import type { MeshPhysics } from 'betwixt/three';
import type { XRDevice } from 'iwer';
import type { Mesh, Object3D } from 'three';
import { expect, test } from '../browsers/test.js';

declare global {
  var physics: MeshPhysics;
  var headset: XRDevice;
  var table: { boxes: Mesh[]; hands: { controller: Object3D }[] };
}

/** Height of the last box in the newest state, some frames later. */
async function heightOfBox(): Promise<number | undefined> {
  for (let frames = 0; frames < 3; frames++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  const { boxes } = globalThis.table;
  return globalThis.physics.bodyOf({ object: boxes.at(-1) as Mesh })?.translation().y;
}

test('in a headset no frame starves by its lead, and what a hand holds is drawn at the hand, and is there in a replay', async ({
  page,
}) => {
  await page.goto('/examples/headset/?emulator');
  await page.waitForFunction(() => document.querySelector('button')?.hidden === false);
  await page.locator('button').focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('button')?.textContent === 'Leave VR');

  // Many frames in a row have a state to show, and the lead is no part of the margin.
  await page.evaluate(async () => {
    const run = await globalThis.physics.world.ready;
    let starved = -1;
    for (let frames = 0; frames < 20; frames++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const { starvedFrames, delayMs, marginMs } = run.stats();
      const leadMs = delayMs - marginMs - 1000 / run.tickRateHz;
      if (starvedFrames !== starved || leadMs < 15) frames = 0;
      starved = starvedFrames;
    }
  });

  // The box at the end of the highest row, from its side.
  await page.evaluate(() => {
    const { boxes, hands } = globalThis.table;
    const { right } = globalThis.headset.controllers;
    const box = boxes.at(-1)?.position;
    if (right === undefined || box === undefined) throw new Error('there is no hand, or no box');
    const [hand] = hands
      .map(({ controller }) => controller.position)
      .toSorted((one, other) => other.x - one.x);
    // A controller is held below its place.
    const { x, y, z } = box
      .clone()
      .add(right.position as never)
      .sub(hand as never);
    right.position.set(x + 0.12, y, z);
  });
  await page.waitForFunction(() => {
    const { boxes, hands } = globalThis.table;
    const box = boxes.at(-1)?.position as Mesh['position'];
    return hands.some(({ controller }) => controller.position.distanceTo(box) < 0.15);
  });
  await page.evaluate(() => globalThis.headset.controllers.right?.updateButtonValue('trigger', 1));
  await page.waitForFunction(() => globalThis.physics.world.impulseJoints.len() === 1);
  await page.evaluate(() => globalThis.headset.controllers.right?.position.set(0.3, 1.6, -0.3));
  await page.waitForFunction(() => {
    const { boxes, hands } = globalThis.table;
    const box = boxes.at(-1)?.position as Mesh['position'];
    const isHeld = hands.some(({ controller }) => controller.position.distanceTo(box) < 0.15);
    return isHeld && box.y > 1.4;
  });

  // The poses of the hands are in the recording.
  await page.evaluate(async () => (await globalThis.physics.world.ready).pause());
  const height = await page.evaluate(heightOfBox);
  expect(height).toBeGreaterThan(1.4);
  await page.evaluate(async () => {
    const run = await globalThis.physics.world.ready;
    await run.openReplay(run.recording(), { tick: run.stats().tick });
  });
  expect(await page.evaluate(heightOfBox)).toBe(height);
});
