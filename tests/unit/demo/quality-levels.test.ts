import { Color, InstancedMesh, Matrix4, MeshBasicMaterial, SphereGeometry } from 'three';
import { describe, expect, test } from 'vitest';
import { DisplayPeriod } from '../../../demo/page/quality/display-period.js';
import { FrameWindow } from '../../../demo/page/quality/frame-window.js';
import {
  describeLevel,
  DETAILS,
  LEVELS,
  levelOf,
  lookOf,
  MATERIALS,
  QUALITIES,
} from '../../../demo/page/quality/levels.js';
import { parseSettings } from '../../../demo/page/settings.js';
import { SingleDraw } from '../../../demo/page/view/single-draw.js';

describe('levels', () => {
  test('each draws at least as much as the one below it, and something more', () => {
    for (const [index, look] of LEVELS.entries()) {
      const below = LEVELS[index - 1];
      if (below === undefined) continue;
      const steps = [
        look.pixels - below.pixels,
        look.shadowPixels - below.shadowPixels,
        look.samples - below.samples,
        MATERIALS.indexOf(look.materials) - MATERIALS.indexOf(below.materials),
        DETAILS.indexOf(look.detail) - DETAILS.indexOf(below.detail),
      ];
      expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...steps)).toBeGreaterThan(0);
    }
  });

  test('the coarse ones have no shadows and are lit at vertices, which drawing in one piece assumes', () => {
    const coarse = LEVELS.filter(({ detail }) => detail === 'coarse');
    expect(coarse).not.toHaveLength(0);
    for (const { shadowPixels, materials } of coarse) {
      expect([shadowPixels, materials]).toEqual([0, 'vertex']);
    }
  });

  test('names and numbers are levels', () => {
    expect(QUALITIES.map(levelOf)).toEqual([undefined, 2, 4, 6, 1, 2, 3, 4, 5, 6]);
    expect(lookOf(0)).toBe(LEVELS[0]);
    expect(lookOf(99)).toBe(LEVELS.at(-1));
  });

  test('shadows can be disabled in each', () => {
    for (const [index, look] of LEVELS.entries()) {
      expect(lookOf(index + 1, false)).toEqual({ ...look, shadowPixels: 0 });
    }
  });

  test('are described by what is drawn', () => {
    expect(describeLevel('auto', 3, lookOf(3), 0.75)).toBe(
      'auto: 3 of 6 · 0.75× pixels, no shadows',
    );
    expect(describeLevel('high', 6, lookOf(6), 1.3333)).toBe(
      'high: 6 of 6 · 1.33× pixels, shadows',
    );
    expect(describeLevel(4, 4, lookOf(4, false), 1)).toBe('4 of 6 · 1× pixels, no shadows');
  });

  test.each(['0', '7', '2.5', 'best', ''])('quality=%s is not a level, and is reported', (text) => {
    const { settings, problems } = parseSettings(`?quality=${text}`);
    expect(settings.quality).toBe('auto');
    expect(problems.map(({ message }) => message)).toEqual([
      `quality=${text} is invalid: quality must be one of auto, low, medium, high, 1, 2, 3, 4, 5, 6. Using auto.`,
    ]);
  });
});

describe('the intervals of a window', () => {
  test('are enough when they are both long and many, or very long', () => {
    const window = new FrameWindow();
    for (let count = 0; count < 4; count++) window.add(300);
    expect(window.isFull).toBe(false);
    window.add(300);
    expect(window.isFull).toBe(true);
    window.clear();
    for (let count = 0; count < 3; count++) window.add(1500);
    expect(window.isFull).toBe(true);
  });

  test('count without their longest fifth', () => {
    const window = new FrameWindow();
    for (const ms of [10, 10, 10, 10, 10, 10, 10, 10, 900, 5000]) window.add(ms);
    expect(window.meanMs).toBe(10);
  });
});

/** The target after a while on a display. */
function aimedAt(intervalMs: number): number {
  const period = new DisplayPeriod();
  // Every third frame is missed while the page loads.
  for (let count = 0; count < 60; count++)
    period.add(count % 3 === 0 ? 2 * intervalMs : intervalMs);
  return period.targetMs;
}

describe('the target period', () => {
  test("is the display's, between 1/60 s and 1/30 s", () => {
    expect(new DisplayPeriod().targetMs).toBeCloseTo(1000 / 60);
    expect(aimedAt(1000 / 240)).toBeCloseTo(1000 / 60);
    expect(aimedAt(20)).toBe(20);
    expect(aimedAt(100)).toBeCloseTo(1000 / 30);
  });
});

test('a drawing in one piece has a copy, a number and a colour for each body', () => {
  const unit = new SphereGeometry(1, 6, 3);
  const source = new InstancedMesh(unit, new MeshBasicMaterial(), 3);
  for (let body = 0; body < 3; body++) {
    source.setColorAt(body, new Color(body / 2, 0, 1));
    source.setMatrixAt(body, new Matrix4().makeTranslation(body, 0, 0));
  }
  const { geometry } = new SingleDraw(source, unit, false).mesh;
  const vertices = unit.getAttribute('position').count;

  expect(geometry.getAttribute('position').count).toBe(3 * vertices);
  for (let body = 0; body < 3; body++) {
    for (const vertex of [0, vertices - 1]) {
      const at = body * vertices + vertex;
      expect(geometry.getAttribute('body').getX(at)).toBe(body);
      expect(geometry.getAttribute('color').getX(at)).toBe(body / 2);
      expect(geometry.getAttribute('position').getY(at)).toBe(
        unit.getAttribute('position').getY(vertex),
      );
    }
  }
  const triangles = unit.index?.count ?? 0;
  expect(geometry.index?.count).toBe(3 * triangles);
  expect(geometry.index?.getX(2 * triangles)).toBe((unit.index?.getX(0) ?? 0) + 2 * vertices);
});
