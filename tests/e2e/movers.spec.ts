/** The examples of characters and vehicles: keys and a finger move them, and their pages fit a phone. */
import type { Page } from '@playwright/test';
import type { CharacterController, VehicleController } from 'betwixt/world';
import { pause, resume, step } from './paused.js';
import { boxOf } from './places.js';
import { expect, test } from './demo-page.js';

declare global {
  var character: CharacterController;
  var vehicle: VehicleController | undefined;
}

const [WIDTH, HEIGHT] = [390, 600];

/** Until bodies are drawn. */
async function open(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  await page.goto(`/examples/${name}/`);
  await page.waitForFunction(
    () => 'physics' in globalThis && globalThis.physics.world.frame.newestTick > 10,
  );
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  const { x, width } = await boxOf(page.locator('output'));
  expect(x + width).toBeLessThanOrEqual(WIDTH);
  await expect(page.getByRole('alert')).toBeEmpty();
}

/** Where the character is. */
const walker = (page: Page) =>
  page.evaluate(() => globalThis.character.collider().parent()?.translation());
const speed = (page: Page) => page.evaluate(() => globalThis.vehicle?.speed ?? 0);

/** Moves a pressed pointer, and leaves it there. */
async function drag(page: Page, dx: number, dy: number): Promise<void> {
  await page.mouse.move(WIDTH / 2, HEIGHT / 2);
  await page.mouse.down();
  await page.mouse.move(WIDTH / 2 + dx, HEIGHT / 2 + dy, { steps: 4 });
}

test('character: keys and a finger move it, and it jumps', async ({ page }) => {
  await open(page, 'character');
  const state = page.locator('output');
  await expect(state).toHaveText('On foot');
  await pause(page);
  await page.keyboard.down('ArrowRight');
  await step(page, 45);
  await expect.poll(async () => (await walker(page))?.x).toBeGreaterThan(1);
  await page.keyboard.up('ArrowRight');
  await drag(page, -70, 0);
  await step(page, 60);
  await expect.poll(async () => (await walker(page))?.x).toBeLessThan(1);
  await page.mouse.up();
  await step(page, 30);
  const movesNot = () => page.evaluate(() => Math.abs(globalThis.character.velocity.x));
  await expect.poll(movesNot).toBe(0);
  await page.getByRole('button', { name: 'Jump' }).press('Enter');
  await step(page, 15);
  await expect.poll(async () => (await walker(page))?.y).toBeGreaterThan(1.2);
  await resume(page);
  await expect(state).toHaveText('On foot');
});

test('character: it climbs the stairs', async ({ page }) => {
  await open(page, 'character');
  await page.evaluate(() => {
    const body = globalThis.character.collider().parent();
    body?.setTranslation({ x: -5, y: 0.8, z: -1 }, true);
  });
  await page.keyboard.down('KeyW');
  await page.waitForFunction(() => {
    const { y = 0 } = globalThis.character.collider().parent()?.translation() ?? {};
    return y > 1.8;
  });
  await page.keyboard.up('KeyW');
});

test('vehicle: keys and a finger drive it, its wheels go along, and it can be put back', async ({
  page,
}) => {
  await open(page, 'vehicle');
  const distances = () =>
    page.evaluate(() => {
      const { wheels = [] } = globalThis.vehicle ?? {};
      const { z = Number.NaN } = globalThis.vehicle?.chassis().translation() ?? {};
      return wheels.map((wheel) => wheel.translation().z - z);
    });
  await expect.poll(() => page.evaluate(() => globalThis.vehicle?.wheelIsInContact(0))).toBe(true);
  await pause(page);
  await page.keyboard.down('KeyW');
  await step(page, 120);
  await expect.poll(() => speed(page)).toBeGreaterThan(5);
  await page.keyboard.up('KeyW');
  for (const distance of await distances()) expect(Math.abs(distance)).toBeLessThan(2);
  await page.keyboard.down('Space');
  await step(page, 240);
  await expect.poll(() => speed(page)).toBeLessThan(0.5);
  await page.keyboard.up('Space');
  await drag(page, 0, 70);
  await step(page, 120);
  await expect.poll(() => speed(page)).toBeLessThan(-1);
  await page.mouse.up();
  await resume(page);
  await page.getByRole('button', { name: 'Reset' }).press('Enter');
  const away = () =>
    page.evaluate(() => Math.abs(globalThis.vehicle?.chassis().translation().z ?? Infinity));
  await expect.poll(away).toBeLessThan(1);
});
