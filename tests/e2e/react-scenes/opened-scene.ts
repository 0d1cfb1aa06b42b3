/** A scene of `examples/react.html` that a test has opened. */
import type { Page } from '@playwright/test';
import type { InstancedMesh } from 'three';
import type {} from '../../../examples/react/src/side.js';
import type { LibraryName } from '../../../examples/react/src/catalogue.js';
import { expect } from '../demo-page.js';

export type Triple = readonly [x: number, y: number, z: number];

/** What a check is given: a scene on betwixt, which runs. */
export class OpenedScene {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Where an object is in the picture: its name is that of a `<RigidBody>` or mesh. */
  place(name: string): Promise<Triple> {
    return this.page.evaluate((wanted) => {
      const object = globalThis.reactScene.betwixt?.state.scene.getObjectByName(wanted);
      if (object === undefined) throw new Error(`the scene has no object "${wanted}"`);
      object.updateWorldMatrix(true, false);
      const [x = 0, y = 0, z = 0] = object.matrixWorld.elements.slice(12, 15);
      return [x, y, z] as const;
    }, name);
  }

  /** Of all bodies, in the order of their handles, in the newest state. */
  places(): Promise<Triple[]> {
    return this.page.evaluate(() => {
      const bodies = globalThis.reactScene.betwixt?.world?.bodies.getAll() ?? [];
      return bodies.map((body) => {
        const { x, y, z } = body.translation();
        return [x, y, z] as const;
      });
    });
  }

  /** How many bodies the world has. */
  async count(): Promise<number> {
    return (await this.places()).length;
  }

  /** The newest tick that the page knows. */
  tick(): Promise<number> {
    return this.page.evaluate(() => globalThis.reactScene.betwixt?.world?.frame.newestTick ?? 0);
  }

  /** Waits until that many more ticks are known: counts, so it may take as long as the machine needs. */
  async waitForTicks(count: number): Promise<void> {
    const end = (await this.tick()) + count;
    await this.page.waitForFunction(
      (tick) => (globalThis.reactScene.betwixt?.world?.frame.newestTick ?? 0) >= tick,
      end,
    );
  }

  /**
   * Begins the scene again, and holds it before its first tick. From here on it moves by {@link steps} until {@link resume}:
   * each run of it is the same, however slow the machine is, unless components move something in frames.
   */
  async restart(): Promise<void> {
    await restart(this.page, 'betwixt');
    await this.page.waitForFunction(() => globalThis.reactScene.betwixt?.simulation !== undefined);
    await this.pause();
    await this.steps(0);
  }

  /** Lets ticks pass in a simulation that waits: however slow the machine is, what passes quickly can be seen. */
  async steps(count: number): Promise<void> {
    await this.page.evaluate(async (ticks) => {
      const { world, simulation } = globalThis.reactScene.betwixt ?? {};
      world?.flush();
      if (ticks > 0) await simulation?.step(ticks);
    }, count);
    // Of the newest state, which a frame fetches.
    await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }

  /** Lets a scene that waits pass tick by tick, each in another frame, until something is so. */
  async stepUntil(isSo: () => Promise<boolean>, mostTicks: number): Promise<void> {
    for (let tick = 0; tick < mostTicks; tick++) {
      if (await isSo()) return;
      await this.steps(1);
    }
    expect(await isSo(), `after ${mostTicks} ticks`).toBe(true);
  }

  /** Returns when no tick runs any more, and the picture rests. */
  async pause(): Promise<void> {
    await this.page.evaluate(setPaused, true);
    await this.page.evaluate(async () => {
      await globalThis.reactScene.betwixt?.simulation?.pause();
      for (let frame = 0; frame < 2; frame++)
        await new Promise((resolve) => requestAnimationFrame(resolve));
    });
  }

  async resume(): Promise<void> {
    await this.page.evaluate(setPaused, false);
    await this.page.evaluate(() => globalThis.reactScene.betwixt?.simulation?.resume());
  }

  /** Clicks the middle of an object, when it is within the picture. */
  async click(name: string): Promise<void> {
    const [x, y] = await this.pixelOf(name);
    await this.page.mouse.click(x, y);
  }

  /** Where the middle of an object is on the page, in CSS pixels, when it is within the picture. */
  async pixelOf(name: string): Promise<readonly [x: number, y: number]> {
    const pixel = await this.page.waitForFunction(pixelOf, name);
    return (await pixel.jsonValue()) || [0, 0];
  }

  /** Of all bodies, in the newest state. */
  upwardSpeeds(): Promise<number[]> {
    return this.page.evaluate(() =>
      (globalThis.reactScene.betwixt?.world?.bodies.getAll() ?? []).map((body) => body.linvel().y),
    );
  }

  /** Where instances of a mesh are in the picture. */
  instancePlaces(name: string): Promise<Triple[]> {
    return this.page.evaluate((wanted) => {
      const mesh = globalThis.reactScene.betwixt?.state.scene.getObjectByName(wanted);
      if (!(mesh !== undefined && 'isInstancedMesh' in mesh)) return [];
      mesh.updateWorldMatrix(true, false);
      return Array.from({ length: (mesh as InstancedMesh).count }, (_, index) => {
        const place = mesh.position
          .clone()
          .fromArray((mesh as InstancedMesh).instanceMatrix.array, index * 16 + 12);
        const { x, y, z } = place.applyMatrix4(mesh.matrixWorld);
        return [x, y, z] as const;
      });
    }, name);
  }

  /** Clicks what is drawn at a place of the scene. */
  async clickAt(place: Triple): Promise<void> {
    const [x, y] = await this.page.evaluate(([px, py, pz]) => {
      const { state } = globalThis.reactScene.betwixt ?? {};
      if (state === undefined) throw new Error('no scene is there');
      const { left, top, width, height } = state.gl.domElement.getBoundingClientRect();
      const at = state.camera.position.clone().set(px, py, pz).project(state.camera);
      return [left + ((at.x + 1) / 2) * width, top + ((1 - at.y) / 2) * height] as const;
    }, place);
    await this.page.mouse.click(x, y);
  }

  press(button: 'Reset' | 'Pause' | 'Step' | 'Debug'): Promise<void> {
    return this.page.getByRole('button', { name: button, exact: true }).press('Enter');
  }
}

/** Where the middle of an object is on the page, in CSS pixels; false if that is not in the picture. Runs in the page. */
function pixelOf(name: string): readonly [x: number, y: number] | false {
  const { state } = globalThis.reactScene.betwixt ?? {};
  const object = state?.scene.getObjectByName(name);
  if (state === undefined || object === undefined) throw new Error(`no object "${name}"`);
  const { left, top, width, height } = state.gl.domElement.getBoundingClientRect();
  object.updateWorldMatrix(true, false);
  const place = object.position.clone().setFromMatrixPosition(object.matrixWorld);
  const { x, y } = place.project(state.camera);
  if (Math.abs(x) > 1 || Math.abs(y) > 1) return false;
  return [left + ((x + 1) / 2) * width, top + ((1 - y) / 2) * height];
}

/** Opens a scene, and waits until it runs on betwixt. */
export async function openScene(page: Page, name: string): Promise<OpenedScene> {
  await page.setViewportSize({ width: 480, height: 420 });
  await page.goto(`/examples/react.html?scene=${name}`);
  await page.waitForFunction(() => globalThis.reactScene?.betwixt?.simulation !== undefined);
  await expect(page.getByRole('alert')).toHaveCount(0);
  return new OpenedScene(page);
}

/** Presses the button *Pause* of the page, unless that is so. Runs in the page. */
function setPaused(isWanted: boolean): void {
  const button = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Pause',
  );
  if (button?.ariaPressed !== String(isWanted)) button?.click();
}

/** Resets a scene while it is paused, and waits until its bodies are there. */
async function restart(page: Page, library: LibraryName): Promise<void> {
  await page.evaluate(setPaused, true);
  await page.evaluate(async (name) => {
    const worldOf = () => globalThis.reactScene[name]?.context.world;
    const old = worldOf();
    [...document.querySelectorAll('button')]
      .find(({ textContent }) => textContent === 'Reset')
      ?.click();
    while (worldOf() === old || !(worldOf()?.bodies.len() ?? 0))
      await new Promise((resolve) => requestAnimationFrame(resolve));
  }, library);
}

/** Where bodies are and how they are turned. Runs in the page. */
function posesOf(name: LibraryName): number[] {
  const bodies = globalThis.reactScene[name]?.context.world.bodies.getAll() ?? [];
  return bodies.flatMap((body) => {
    const { x, y, z } = body.translation();
    const turn = body.rotation();
    return [x, y, z, turn.x, turn.y, turn.z, turn.w];
  });
}

/**
 * Waits until a body has moved from where it was at the beginning. The scene waits there: a browser that is held up might
 * see it for the first time when everything rests.
 */
export async function expectMotion(page: Page, library: LibraryName): Promise<void> {
  await restart(page, library);
  const before = await page.evaluate(posesOf, library);
  await page.evaluate(setPaused, false);
  await expect
    .poll(async () => {
      const poses = await page.evaluate(posesOf, library);
      return poses.some((value, at) => Math.abs(value - (before[at] ?? value)) > 0.01);
    })
    .toBe(true);
}
