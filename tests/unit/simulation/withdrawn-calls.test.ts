/** Calls whose callers no longer wait: what is withdrawn is not executed, and what has begun ends. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { CallTimeoutError, connect, type CallOptions } from '../../../src/render-main/index.js';
import { withResolvers } from '../../../src/render-main/util/promises.js';
import type { SimulationContext } from '../../../src/sim-worker/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { openDocument } from '../../fixtures/fake-document.js';
import {
  GIVE_UP_MS,
  RESTART,
  STALL_MS,
  connectFaulty,
  outcomes,
  type FaultyToy,
} from '../../fixtures/faulty-toy.js';
import { takeTurn } from '../../fixtures/scripted-host.js';
import { VirtualTime, connectInVirtualTime } from '../../fixtures/virtual-time.js';

const reason = new Error('no longer wanted');

type Make = (faulty: FaultyToy, options: CallOptions) => Promise<unknown>;
const CALLS: readonly (readonly [string, Make])[] = [
  ['a query', ({ simulation }, options) => simulation.queriesWith(options).echo('x')],
  ['a command', ({ simulation }, options) => simulation.commandsWith(options).note('x')],
  ['a pause', ({ simulation }, options) => simulation.pause(options)],
  ['a tick rate', ({ simulation }, options) => simulation.setTickRate(30, options)],
];
const STATES = ['is idle', 'hangs', 'hangs and is replaced', 'is being replaced'] as const;

test.each(STATES)(
  'calls that are withdrawn while the worker %s are not executed',
  async (state) => {
    const faulty = await connectFaulty('transfer', RESTART);
    const { simulation, time } = faulty;
    if (state !== 'is idle') await faulty.hang();
    if (state === 'is being replaced') {
      while (simulation.state !== 'restarting') await time.advance(100);
    }
    const controller = new AbortController();
    const { signal } = controller;
    const calls = CALLS.map(([name, make]) => faulty.watch(name, make(faulty, { signal })));
    if (state === 'hangs') await faulty.pass(STALL_MS);
    controller.abort(reason);
    if (state === 'hangs and is replaced') await faulty.pass(GIVE_UP_MS);
    if (state === 'hangs') faulty.worker.release();
    await faulty.pass(500);
    expect(outcomes(...calls)).toEqual(CALLS.map(() => ({ reason })));
    expect([faulty.asked, faulty.recorded]).toEqual([[], []]);
    expect(await time.until(simulation.queries.notes())).toEqual([]);
    expect([simulation.stats().tickRateHz, simulation.state]).toEqual([10, 'running']);
  },
);

test('a resume that is withdrawn leaves the simulation paused', async () => {
  const faulty = await connectFaulty('transfer', { startPaused: true });
  const { simulation } = faulty;
  faulty.hangInTick();
  const step = [simulation.commands.note('a'), simulation.step()].map((call) =>
    faulty.watch('step', call),
  );
  await faulty.pass(100);
  const controller = new AbortController();
  const resume = faulty.watch('x', simulation.resume({ signal: controller.signal }));
  await faulty.pass(STALL_MS);
  controller.abort(reason);
  faulty.worker.release();
  await faulty.pass(1000);
  expect(outcomes(...step, resume)).toEqual([{ value: 'a' }, { value: 1 }, { reason }]);
  expect([simulation.state, simulation.stats().tick]).toEqual(['paused', 1]);
});

test('a withdrawn pause or resume leaves what another call wants', async () => {
  const faulty = await connectFaulty('transfer');
  const { simulation } = faulty;
  for (const [name, state] of [
    ['pause', 'paused'],
    ['resume', 'running'],
  ] as const) {
    const { signal, abort } = abortable();
    const calls = [simulation[name]({ signal }), simulation[name]()].map((call) =>
      faulty.watch(name, call),
    );
    abort();
    await faulty.pass(300);
    expect(outcomes(...calls)).toEqual([{ reason }, { value: undefined }]);
    expect(simulation.state).toBe(state);
  }
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(reason) };
}

test('a page that is shown again resumes what only a withdrawn pause had paused', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const page = openDocument();
  const faulty = await connectFaulty('transfer');
  const { simulation } = faulty;
  page.show(false);
  await faulty.pass(300);
  expect(simulation.state).toBe('paused');
  const { signal, abort } = abortable();
  const pause = faulty.watch('pause', simulation.pause({ signal }));
  page.show(true);
  abort();
  await faulty.pass(300);
  expect([pause.outcome, simulation.state]).toEqual([{ reason }, 'running']);
});

test('a call whose signal is aborted already is not made', async () => {
  const faulty = await connectFaulty('transfer');
  const { simulation } = faulty;
  const options = { signal: AbortSignal.abort(reason) };
  const made = faulty.worker.calls.length;
  const calls = CALLS.map(([, make]) => faulty.watch('x', make(faulty, options)));
  await faulty.pass(300);
  expect(outcomes(...calls)).toEqual(CALLS.map(() => ({ reason })));
  expect(faulty.worker.calls).toHaveLength(made);
  expect([faulty.recorded, simulation.state]).toEqual([[], 'running']);
});

test.each(['local', 'transfer'] as const)(
  'a command that a tick has taken is answered when that ends, with the transport %s',
  async (transport) => {
    const faulty = await connectFaulty(transport, RESTART);
    const { signal, abort } = abortable();
    faulty.hangInTick();
    const call = faulty.watch('x', faulty.simulation.commandsWith({ signal }).note('x'));
    await faulty.pass(200);
    abort();
    await faulty.pass(100);
    expect(call.outcome).toBe('pending');
    faulty.worker.release();
    await faulty.pass(300);
    expect(call).toMatchObject({ settled: 1, outcome: { value: 'x' } });
    expect(faulty.recorded).toEqual(['x']);
  },
);

test('a command that is withdrawn in a tick that never ends is not sent again', async () => {
  const faulty = await connectFaulty('transfer', RESTART);
  const { simulation } = faulty;
  const { signal, abort } = abortable();
  faulty.hangInTick();
  const call = faulty.watch('x', simulation.commandsWith({ signal }).note('x'));
  const other = faulty.watch('y', simulation.commands.note('y'));
  await faulty.pass(200);
  abort();
  faulty.worker.die();
  await faulty.restarts();
  await faulty.pass(300);
  expect(outcomes(call, other)).toEqual([{ reason }, { value: 'y' }]);
  expect(faulty.recorded).toEqual(['y']);
  expect(await faulty.time.until(simulation.queries.notes())).toEqual(['y']);
});

test('a call that was answered leaves no listener on its signal, and no timer', async () => {
  const { time, simulation } = await connectInVirtualTime({ startPaused: true });
  const { signal } = new AbortController();
  const add = vi.spyOn(signal, 'addEventListener');
  const remove = vi.spyOn(signal, 'removeEventListener');
  const clear = vi.spyOn(globalThis, 'clearTimeout');
  onTestFinished(() => void vi.restoreAllMocks());
  const options = { signal, timeoutMs: 600_000 };
  await time.until(
    Promise.all([
      simulation.commandsWith(options).push(1, 1),
      simulation.queriesWith(options).echo('y'),
      simulation.step(1, options),
    ]),
  );
  expect([add.mock.calls.length, remove.mock.calls.length]).toEqual([3, 3]);
  const listeners = add.mock.calls.map(([, listener]) => listener);
  expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(
    expect.arrayContaining(listeners),
  );
  expect(clear.mock.calls.length).toBeGreaterThanOrEqual(3);
});

test('a call that is not answered in its time rejects with a CallTimeoutError', async () => {
  const faulty = await connectFaulty('transfer');
  await faulty.hang();
  const calls = CALLS.map(([, make]) => faulty.watch('x', make(faulty, { timeoutMs: 50 })));
  await faulty.pass(49);
  expect(calls.map(({ settled }) => settled)).toEqual([0, 0, 0, 0]);
  await faulty.pass(1);
  for (const { outcome } of calls) {
    expect(outcome).toEqual({ reason: expect.any(CallTimeoutError) as unknown });
  }
  faulty.worker.release();
  await faulty.pass(300);
  expect([faulty.asked, faulty.recorded, faulty.simulation.state]).toEqual([[], [], 'running']);
});

test.each<[unknown, RegExp]>([
  [{ timeoutMs: -1 }, /^timeoutMs must be a number from 0 to 2147483647/],
  [{ timeoutMs: '1' }, /^timeoutMs must be a number/],
  [{ signal: new AbortController() }, /^signal must be an AbortSignal/],
  [{ signal: null }, /^signal must be an AbortSignal/],
  [{ timeout: 1 }, /^unknown option "timeout" of a call: did you mean "timeoutMs"/],
  [null, /^the options of a call must be an object/],
])('%o as the options of any call is refused', async (options, message) => {
  const { simulation } = await connectInVirtualTime();
  const given = options as CallOptions;
  expect(() => simulation.commandsWith(given)).toThrow(message);
  expect(() => simulation.queriesWith(given)).toThrow(message);
  // What returns a promise rejects, and never throws.
  for (const call of [
    simulation.pause(given),
    simulation.resume(given),
    simulation.step(1, given),
    simulation.setTickRate(30, given),
    simulation.setTimeScale(1, given),
    simulation.setMaxCatchUpTicks(3, given),
    simulation.save(given),
    simulation.seek(0, given),
    simulation.restore({ tick: 0, bytes: new Uint8Array() }, given),
    simulation.openReplay(simulation.recording(), given),
    simulation.replaceWorker(undefined, given),
  ]) {
    await expect(call).rejects.toThrow(message);
  }
  expect([simulation.state, simulation.stats().tickRateHz]).toEqual(['running', 60]);
});

test('a query that has begun runs to its end after its call has rejected, and may restart the run', async () => {
  const time = new VirtualTime();
  const loaded = withResolvers<void>();
  let context: SimulationContext | undefined;
  const begun = vi.fn<() => void>();
  const simulated = {
    init: (given: SimulationContext) => void (context = given),
    step: () => {},
    reset: () => {},
    queries: {
      load: async () => {
        begun();
        await loaded.promise;
        context?.restart({ setup: 2 });
      },
    },
  };
  const simulation = await connect<typeof simulated>(() => runLocally(simulated), {
    transport: 'local',
    setup: 1,
  });
  onTestFinished(() => time.until(simulation.dispose()));
  await time.advance(1000);
  const { signal, abort } = abortable();
  const loading = simulation.queriesWith({ signal }).load();
  await time.advance(100);
  expect(begun).toHaveBeenCalledOnce();
  abort();
  await expect(loading).rejects.toBe(reason);
  expect(simulation.recording().run.setup).toBe(1);
  loaded.resolve();
  await time.advance(100);
  const { run, lastTick } = simulation.recording();
  expect(run.setup).toBe(2);
  expect(lastTick).toBeLessThan(20);
});

const PATIENT = { timeoutMs: 1000 };

test('the last call is executed last, whether or not calls may be withdrawn', async () => {
  const { time, simulation } = await connectInVirtualTime({ startPaused: true });
  await time.until(Promise.all([simulation.setTickRate(30, PATIENT), simulation.setTickRate(60)]));
  expect(simulation.stats().tickRateHz).toBe(60);
  const scales = [
    simulation.setTimeScale(2),
    simulation.setTimeScale(3, PATIENT),
    simulation.setTimeScale(4, PATIENT),
    simulation.setTimeScale(5),
  ];
  await time.until(Promise.all(scales));
  expect(simulation.stats().timeScale).toBe(5);
});

test('a simulation that is resumed and paused immediately is paused', async () => {
  const { time, simulation } = await connectInVirtualTime({ startPaused: true });
  // Whenever the call arrives that resumes it.
  for (let turns = 0; turns < 12; turns++) {
    const resumed = simulation.resume(PATIENT);
    for (let turn = 0; turn < turns; turn++) await takeTurn();
    await time.until(Promise.all([resumed, simulation.pause()]));
    const { tick } = simulation.stats();
    await time.advance(50);
    expect([simulation.state, simulation.stats().tick]).toEqual(['paused', tick]);
  }
});
