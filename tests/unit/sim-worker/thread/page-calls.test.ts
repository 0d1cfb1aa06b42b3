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

test('a call runs immediately', () => {
  const calls = new PageCalls();
  const log: string[] = [];
  void calls.inTurn(() => log.push('pause'));
  expect(log).toEqual(['pause']);
});

test('calls that arrive while a part is loading wait for the call that needs it, in order', async () => {
  const calls = new PageCalls();
  const part = createPart();
  const log: string[] = [];
  for (const name of ['seek', 'step', 'pause']) {
    calls.arrive();
    void calls.inTurn(() =>
      name === 'seek'
        ? calls.loaded(part.load, (loaded) => log.push(`${name} by ${loaded}`))
        : log.push(name),
    );
  }
  await nothingLeft();
  expect([log, calls.begun]).toEqual([[], 0]);
  part.arrives();
  await nothingLeft();
  expect([log, calls.begun]).toEqual([['seek by part', 'step', 'pause'], 3]);
});

test('a call behind a second call that loads a part waits too', async () => {
  const calls = new PageCalls();
  const [first, second] = [createPart(), createPart()];
  const log: string[] = [];
  void calls.inTurn(() => calls.loaded(first.load, () => log.push('first')));
  void calls.inTurn(() => calls.loaded(second.load, () => log.push('second')));
  void calls.inTurn(() => log.push('third'));
  first.arrives();
  await nothingLeft();
  expect(log).toEqual(['first']);
  second.arrives();
  await nothingLeft();
  expect(log).toEqual(['first', 'second', 'third']);
});

test('a call that takes long after the loading delays no other call', async () => {
  const calls = new PageCalls();
  const part = createPart();
  const log: string[] = [];
  void calls.inTurn(() => calls.loaded(part.load, () => new Promise(() => {})));
  void calls.inTurn(() => log.push('stopSeek'));
  part.arrives();
  await nothingLeft();
  expect(log).toEqual(['stopSeek']);
});

test('a part that cannot be loaded rejects its call, and the others run', async () => {
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

test('it is busy until all calls have an answer, whatever that is', async () => {
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

test('a part is loading until its call has begun', async () => {
  const calls = new PageCalls();
  const part = createPart();
  const found: boolean[] = [calls.isLoading];
  void calls.inTurn(() => calls.loaded(part.load, () => {}));
  found.push(calls.isLoading);
  part.arrives();
  await nothingLeft();
  expect([...found, calls.isLoading]).toEqual([false, true, false]);
});
