import { expect, test } from 'vitest';
import { withResolvers } from '../../../../src/render-main/util/promises.js';
import { PageCalls } from '../../../../src/sim-worker/thread/page-calls.js';

/** Something that is loaded when the test says so. */
function createPart() {
  const { promise, resolve, reject } = withResolvers<string>();
  return { load: () => promise, arrives: () => resolve('part'), fails: reject };
}

const nothingLeft = async (): Promise<void> => {
  for (let task = 0; task < 20; task++) await Promise.resolve();
};

test('calls that arrive while parts are loading wait for the calls that need them, in order', async () => {
  const calls = new PageCalls();
  const parts = { seek: createPart(), save: createPart() };
  const log: string[] = [];
  void calls.inTurn(() => log.push('start'));
  expect([log.splice(0), calls.isLoading]).toEqual([['start'], false]);
  for (const name of ['seek', 'step', 'save', 'pause']) {
    calls.arrive();
    const part = parts[name as keyof typeof parts];
    void calls.inTurn(() =>
      part === undefined
        ? log.push(name)
        : calls.loaded(part.load, (loaded) => log.push(`${name} by ${loaded}`)),
    );
  }
  await nothingLeft();
  expect([log, calls.begun, calls.isLoading]).toEqual([[], 0, true]);
  parts.seek.arrives();
  await nothingLeft();
  expect([log, calls.begun]).toEqual([['seek by part', 'step'], 2]);
  parts.save.arrives();
  await nothingLeft();
  expect(log).toEqual(['seek by part', 'step', 'save by part', 'pause']);
  expect([calls.begun, calls.isLoading]).toEqual([4, false]);
});

test('a call that takes long after its part was loaded delays no other call', async () => {
  const calls = new PageCalls();
  const part = createPart();
  const log: string[] = [];
  void calls.inTurn(() => calls.loaded(part.load, () => new Promise(() => {})));
  void calls.inTurn(() => log.push('stopSeek'));
  part.arrives();
  await nothingLeft();
  expect(log).toEqual(['stopSeek']);
});

test('a part that cannot be loaded rejects its call, and the other calls run', async () => {
  const calls = new PageCalls();
  const part = createPart();
  const log: string[] = [];
  const needs = calls.inTurn(() => calls.loaded(part.load, () => log.push('never')));
  void calls.inTurn(() => log.push('pause'));
  part.fails(new Error('offline'));
  await expect(needs).rejects.toThrow('offline');
  await nothingLeft();
  expect(log).toEqual(['pause']);
});

test('no waiting call runs if the loop has failed in the meantime', async () => {
  const calls = new PageCalls();
  const part = createPart();
  const log: string[] = [];
  let hasFailed = false;
  calls.askBefore(
    () => !hasFailed,
    () => false,
  );
  expect(calls.arrive()).toBe(true);
  void calls.inTurn(() => calls.loaded(part.load, () => log.push('seek')));
  void calls.inTurn(() => log.push('step'));
  hasFailed = true;
  part.arrives();
  await nothingLeft();
  expect(log).toEqual([]);
  expect(calls.arrive()).toBe(false);
});

test('no waiting call runs after a stop, and the loop is not asked to run ticks', async () => {
  const calls = new PageCalls();
  const part = createPart();
  const log: string[] = [];
  let isOver = false;
  calls.askBefore(
    () => log.push('asked') > 0,
    () => isOver,
  );
  void calls.inTurn(() => calls.loaded(part.load, () => log.push('seek')));
  void calls.inTurn(() => log.push('step'));
  isOver = true;
  part.arrives();
  await nothingLeft();
  expect(log).toEqual([]);
  // The stop itself is such a message.
  expect(calls.arrive()).toBe(true);
});

test('the worker is busy until all calls have an answer, whatever that is', async () => {
  const calls = new PageCalls();
  const [first, second] = [withResolvers<void>(), withResolvers<void>()];
  const found: boolean[] = [calls.isBusy];
  void calls.inTurn(() => first.promise);
  const failing = calls.inTurn(() => second.promise);
  const note = async (): Promise<void> => {
    await nothingLeft();
    found.push(calls.isBusy);
  };
  await note();
  first.resolve();
  await note();
  second.reject(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  await note();
  expect(found).toEqual([false, true, true, false]);
});
