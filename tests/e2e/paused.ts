/**
 * Examples of physics for meshes, paused: however slowly pages are drawn, what passes quickly can be seen, and nothing goes
 * farther than it should.
 */
import type { Page } from '@playwright/test';
import type { MeshPhysics } from 'betwixt/three';

declare global {
  var physics: MeshPhysics;
}

export const pause = (page: Page): Promise<void> =>
  page.evaluate(async () => (await globalThis.physics.world.ready).pause());

export const resume = (page: Page): Promise<void> =>
  page.evaluate(async () => (await globalThis.physics.world.ready).resume());

/** Lets a number of ticks pass in a paused world. */
export const step = (page: Page, ticks: number): Promise<unknown> =>
  page.evaluate(async (count) => (await globalThis.physics.world.ready).step(count), ticks);

/** Goes back to a tick of a paused world. */
export const seek = (page: Page, tick: number): Promise<unknown> =>
  page.evaluate(async (to) => (await globalThis.physics.world.ready).seek(to), tick);
