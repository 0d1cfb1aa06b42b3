import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchQueries } from '../../../../src/render-main/world/development/watch-queries.js';

const warnings: string[] = [];
beforeEach(() => {
  warnings.length = 0;
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warnings.push(text));
});
afterEach(() => vi.restoreAllMocks());

let classes = 0;

/** A separate class in each test, because a warning is shown once. */
function watchedWorld() {
  class World {
    readonly hit: object | null = { timeOfImpact: 2 };

    castRay(): Promise<object | null> {
      return Promise.resolve(this.hit);
    }

    fails(): Promise<never> {
      return Promise.reject(new RangeError('maxToi must be a number'));
    }
  }
  const due: (() => void)[] = [];
  classes += 1;
  const owner = `world${classes}`;
  const later = (call: () => void): void => void due.push(call);
  watchQueries(World.prototype, owner, later);
  // The second world of a page.
  watchQueries(World.prototype, owner, later);
  return { world: new World(), owner, pass: () => due.splice(0).forEach((call) => call()) };
}

test('an answer that is awaited, in any way, is the answer, without a warning', async () => {
  const { world, pass } = watchedWorld();
  const callback = vi.fn<() => void>();
  const answers = [
    await world.castRay(),
    await (async () => world.castRay())(),
    await Promise.all([world.castRay(), 1]),
    await Promise.race([world.castRay(), new Promise(() => {})]),
    await world.castRay().finally(callback),
    await world.castRay().then((hit) => [hit]),
    await world.fails().catch(({ message }: Error) => message),
  ];
  const { hit } = world;
  expect(answers).toEqual([hit, hit, [hit, 1], hit, hit, [hit], 'maxToi must be a number']);
  pass();
  expect(warnings).toEqual([]);
  expect(world.castRay()).toBeInstanceOf(Promise);
});

test('what is read of the promise instead of the answer says what to do', () => {
  const { world, owner } = watchedWorld();
  const read = (member: string) => () =>
    (world.castRay() as unknown as Record<string, unknown>)[member];
  for (const member of ['timeOfImpact', 'toi', 'collider', 'normal', 'length', 'map']) {
    expect(read(member)).toThrow(
      `${owner}.castRay returns a promise, which has no ${member}: await it; or, for an answer in each frame, read a ` +
        'probe: useProbe, or world.createProbe',
    );
  }
  expect(read('anything')()).toBeUndefined();
});

test('a promise that is only a condition is warned of once', () => {
  const { world, owner, pass } = watchedWorld();
  for (let frame = 0; frame < 3; frame++) {
    if (!world.castRay()) throw new Error('a promise is always true');
    pass();
  }
  expect(warnings).toEqual([
    expect.stringContaining(
      `${owner}.castRay returns a promise, and nothing has waited for the answer. In a condition, a promise is always true`,
    ),
  ]);
});
