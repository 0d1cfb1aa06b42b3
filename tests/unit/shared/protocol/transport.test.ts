import { expect, test, vi } from 'vitest';
import { connect, type WorkerLike } from '../../../../src/render-main/index.js';
import { createWith } from '../../../../src/render-main/worker/worker-creation.js';
import { LAYOUT_VERSION } from '../../../../src/shared/memory/layout.js';
import { runLocally } from '../../../../src/sim-worker/local.js';
import type { WorkerMemory } from '../../../../src/shared/protocol/transport.js';
import { openMemory } from '../../../../src/sim-worker/loop/assembly.js';
import type { WorkerHost } from '../../../../src/sim-worker/thread/host.js';
import { FakeWorker } from '../../../fixtures/fake-worker.js';
import { createToy } from '../../../fixtures/toy-simulation.js';
const TRANSPORT = '../../../../src/render-main/worker/worker-creation.js';

const local = (): WorkerLike => runLocally(createToy());

test('the transport is shared memory if allowed, and nothing is logged', async () => {
  const said = vi.spyOn(console, 'info');
  const asked: string[] = [];
  const { transport } = await createWith((hint) => {
    asked.push(hint);
    return new FakeWorker();
  }, 'auto');
  expect(transport.kind).toBe('shared');
  expect(asked).toEqual(['shared']);
  expect(said).not.toHaveBeenCalled();
});

test('the transport is by messages where the page is not isolated, and the log says so and why, once', async () => {
  vi.stubGlobal('crossOriginIsolated', false);
  const said = vi.spyOn(console, 'info').mockImplementation(() => {});
  // A separate module, as a page that has just loaded has: tests of other files may have had the line already.
  const module = `${TRANSPORT}?page`;
  const own = (await import(module)) as { readonly createWith: typeof createWith };
  for (let time = 0; time < 2; time++) {
    const { transport } = await own.createWith(() => new FakeWorker(), 'auto');
    expect(transport.kind).toBe('transfer');
    expect(transport.reason).toContain('Cross-Origin-Opener-Policy: same-origin');
  }
  expect(said).toHaveBeenCalledTimes(1);
  expect(said.mock.calls[0]?.[0]).toContain("'transfer'");
});

test.each<[string, object, RegExp]>([
  [
    'that the browser lacks shared memory, if the headers are right',
    { crossOriginIsolated: true, SharedArrayBuffer: undefined },
    /is cross-origin isolated, but .* not provide SharedArrayBuffer/,
  ],
  [
    'an insecure address, where headers would not help',
    { crossOriginIsolated: false, isSecureContext: false },
    /not loaded from a secure address.*https/,
  ],
])('the reason for messages may be %s', async (_, globals, reason) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  vi.spyOn(console, 'info').mockImplementation(() => {});
  const { transport } = await createWith(() => new FakeWorker(), 'auto');
  expect(transport.kind).toBe('transfer');
  expect(transport.reason).toMatch(reason);
  expect(transport.reason).not.toContain('Cross-Origin-Opener-Policy');
});

test('the transport is local for a simulation in the same thread', async () => {
  const { worker, transport } = await createWith(local, 'auto');
  expect(transport.kind).toBe('local');
  worker.terminate();
});

test.each([
  ['undefined', undefined, /returned undefined: is a "return" missing/],
  ['an address', './sim.worker.js', /must return a Worker, and returned \.\/sim\.worker\.js/],
])('a value that is not a worker is refused: %s', async (_name, made, says) => {
  const refused = connect(() => made as unknown as WorkerLike);
  await expect(refused).rejects.toThrow(says);
  await expect(refused).rejects.toThrow(TypeError);
});

test.each([
  { transport: 'local', create: () => new FakeWorker(), says: /return runLocally\(simulation\)/ },
  { transport: 'shared', create: local, says: /leave transport out/ },
  { transport: 'transfer', create: local, says: /leave transport out/ },
] as const)(
  'a worker that does not go with the transport $transport is refused and terminated',
  async ({ transport, create, says }) => {
    let worker: WorkerLike | undefined;
    const made = connect(
      () => {
        worker = create();
        vi.spyOn(worker, 'terminate');
        return worker;
      },
      { transport },
    );
    await expect(made).rejects.toThrow(says);
    await expect(made).rejects.toThrow(TypeError);
    expect(worker?.terminate).toHaveBeenCalledTimes(1);
  },
);

const host = { endpoint: new EventTarget() } as unknown as WorkerHost;
const sizes = {
  capacity: 10,
  stateCapacity: 3,
  inputWords: 64,
  eventWords: 128,
  hasVelocities: true,
  valueCount: 5,
};

const open = async (memory: WorkerMemory) => openMemory(memory, host, () => {});

test("a worker's own buffer has the sizes that the page names", async () => {
  const { views } = await open({ transport: 'transfer', version: LAYOUT_VERSION, ...sizes });
  expect(views.layout).toMatchObject(sizes);
});

test('memory of another release is refused by a worker', async () => {
  const order = { transport: 'transfer', version: LAYOUT_VERSION + 1, ...sizes } as const;
  await expect(open(order)).rejects.toThrow(/same release/);
});
