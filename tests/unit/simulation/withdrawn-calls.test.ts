/**
 * Calls whose callers do not wait that long: on a scripted clock, with a worker that the test
 * controls.
 */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CallTimeoutError, connect, type CallOptions } from '../../../src/render-main/index.js';
import { withResolvers } from '../../../src/render-main/util/promises.js';
import type { SimulationContext } from '../../../src/sim-worker/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { openDocument } from '../../fixtures/fake-document.js';
import { turnsUntil } from '../../fixtures/scripted-host.js';
import {
  GIVE_UP_MS,
  RESTART,
  STALL_MS,
  connectScripted,
  recorded,
  type ScriptedSimulation,
  type Watched,
} from '../../fixtures/scripted-simulation.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';

const outcomes = (...calls: Watched[]): Watched['outcome'][] => calls.map(({ outcome }) => outcome);

describe.each(['shared', 'local'] as const)(
  'a call that is withdrawn, over %s memory',
  (transport) => {
    const reason = new Error('no longer wanted');

    test.each<[string, (scripted: ScriptedSimulation, options: CallOptions) => Promise<unknown>]>([
      ['a query', ({ simulation }, options) => simulation.queriesWith(options).ask('x')],
      ['a command', ({ simulation }, options) => simulation.commandsWith(options).apply('x')],
      ['a pause', ({ simulation }, options) => simulation.pause(options)],
      ['a tick rate', ({ simulation }, options) => simulation.setTickRate(30, options)],
    ])('is not executed, in whatever state the worker is: %s', async (_, make) => {
      for (const state of ['idle', 'hangs', 'is replaced', 'was replaced'] as const) {
        const scripted = await connectScripted(transport, RESTART);
        const { simulation, clock } = scripted;
        await scripted.tick();
        if (state !== 'idle') scripted.worker.beginTick();
        if (state === 'was replaced') clock.pass(GIVE_UP_MS);
        const controller = new AbortController();
        const call = scripted.watch('x', make(scripted, { signal: controller.signal }));
        if (state === 'hangs') clock.pass(STALL_MS);
        controller.abort(reason);
        if (state === 'is replaced') clock.pass(GIVE_UP_MS);
        if (state === 'hangs') scripted.worker.endTick();
        await scripted.turns(40);
        expect([state, call.outcome]).toEqual([state, { reason }]);
        clock.pass(100);
        await scripted.tick();
        // A pause is undone by resuming.
        expect(scripted.did.filter((did) => did !== 'resume')).toEqual([]);
        expect([scripted.worker.applied, recorded(scripted)]).toEqual([[], []]);
        expect(scripted.worker.tickRateHz).toBe(60);
        expect([scripted.worker.isPaused, simulation.state]).toEqual([false, 'running']);
      }
    });

    test('cancels a resume, and restores the pause before it', async () => {
      const scripted = await connectScripted(transport, { startPaused: true });
      const { simulation, worker, clock } = scripted;
      const step = scripted.watch('step', simulation.step());
      await scripted.turns();
      worker.beginTick();
      const controller = new AbortController();
      const resume = scripted.watch('x', simulation.resume({ signal: controller.signal }));
      clock.pass(STALL_MS);
      controller.abort(reason);
      worker.endTick();
      clock.pass(100);
      await scripted.turns(40);
      expect(outcomes(step, resume)).toEqual([{ value: 1 }, { reason }]);
      expect([worker.isPaused, simulation.state]).toEqual([true, 'paused']);
      expect(worker.did).not.toContain('resume');
    });

    test('keeps what another call wants: a pause or a resume without limits next to it', async () => {
      const scripted = await connectScripted(transport);
      const { simulation, worker } = scripted;
      const first = new AbortController();
      worker.beginTick();
      const calls = [simulation.pause({ signal: first.signal }), simulation.pause()].map((call) =>
        scripted.watch('pause', call),
      );
      first.abort(reason);
      worker.endTick();
      await scripted.turns(40);
      expect(outcomes(...calls)).toEqual([{ reason }, { value: undefined }]);
      expect([worker.isPaused, simulation.state]).toEqual([true, 'paused']);
      const second = new AbortController();
      const resumes = [simulation.resume({ signal: second.signal }), simulation.resume()].map(
        (call) => scripted.watch('resume', call),
      );
      second.abort(reason);
      await scripted.turns(40);
      expect(outcomes(...resumes)).toEqual([{ reason }, { value: undefined }]);
      expect([worker.isPaused, simulation.state]).toEqual([false, 'running']);
    });

    test('lets a resume through if only this call had paused it', async () => {
      onTestFinished(() => void vi.unstubAllGlobals());
      const page = openDocument();
      const scripted = await connectScripted(transport);
      const { simulation, worker } = scripted;
      page.show(false);
      await scripted.turns();
      expect(worker.isPaused).toBe(true);
      worker.beginTick();
      const controller = new AbortController();
      const pause = scripted.watch('pause', simulation.pause({ signal: controller.signal }));
      page.show(true);
      controller.abort(reason);
      worker.endTick();
      await scripted.turns(40);
      expect(pause.outcome).toEqual({ reason });
      expect([worker.isPaused, simulation.state]).toEqual([false, 'running']);
    });

    test('before it is made is not made', async () => {
      const scripted = await connectScripted(transport);
      const options = { signal: AbortSignal.abort(reason) };
      const calls = [
        scripted.simulation.commandsWith(options).apply('x'),
        scripted.simulation.queriesWith(options).ask('x'),
        scripted.simulation.pause(options),
      ].map((call) => scripted.watch('x', call));
      await scripted.tick();
      expect(outcomes(...calls)).toEqual([{ reason }, { reason }, { reason }]);
      expect([scripted.did, scripted.worker.applied]).toEqual([[], []]);
    });

    test('after it has been answered changes nothing', async () => {
      const scripted = await connectScripted(transport);
      const controller = new AbortController();
      const { signal } = controller;
      const call = scripted.watch('x', scripted.simulation.commandsWith({ signal }).apply('x'));
      await scripted.tick();
      controller.abort(reason);
      await scripted.tick();
      expect(call).toMatchObject({ settled: 1, outcome: { value: 'x' } });
      expect(recorded(scripted)).toEqual(['x']);
    });

    test('after a tick has taken it is answered when that ends', async () => {
      const scripted = await connectScripted(transport);
      const controller = new AbortController();
      const { signal } = controller;
      const call = scripted.watch('x', scripted.simulation.commandsWith({ signal }).apply('x'));
      scripted.worker.beginTick();
      controller.abort(reason);
      await scripted.turns();
      expect(call.outcome).toBe('pending');
      scripted.worker.endTick();
      await scripted.turns();
      expect(call.outcome).toEqual({ value: 'x' });
      expect(recorded(scripted)).toEqual(['x']);
    });

    test('in a tick that fails is withdrawn then, and not sent again', async () => {
      const scripted = await connectScripted(transport, RESTART);
      const controller = new AbortController();
      const { signal } = controller;
      const call = scripted.watch('x', scripted.simulation.commandsWith({ signal }).apply('x'));
      const other = scripted.watch('y', scripted.simulation.commands.apply('y'));
      scripted.worker.beginTick();
      controller.abort(reason);
      scripted.worker.die();
      await scripted.turns(40);
      expect(call.outcome).toEqual({ reason });
      await scripted.tick();
      expect(outcomes(call, other)).toEqual([{ reason }, { value: 'y' }]);
      expect([scripted.worker.applied, recorded(scripted)]).toEqual([['y'], ['y']]);
    });

    test('leaves no listener on its signal, and no timer', async () => {
      const scripted = await connectScripted(transport);
      const { signal } = new AbortController();
      const add = vi.spyOn(signal, 'addEventListener');
      const remove = vi.spyOn(signal, 'removeEventListener');
      const clear = vi.spyOn(globalThis, 'clearTimeout');
      onTestFinished(() => void vi.restoreAllMocks());
      const options = { signal, timeoutMs: 600_000 };
      const { simulation } = scripted;
      const calls = [
        scripted.watch('x', simulation.commandsWith(options).apply('x')),
        scripted.watch('y', simulation.queriesWith(options).ask('y')),
        scripted.watch('z', simulation.step(1, options)),
      ];
      await scripted.tick();
      expect(calls.map(({ settled }) => settled)).toEqual([1, 1, 1]);
      expect([add.mock.calls.length, remove.mock.calls.length]).toEqual([3, 3]);
      expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(
        expect.arrayContaining(add.mock.calls.map(([, listener]) => listener)),
      );
      expect(clear.mock.calls.length).toBeGreaterThanOrEqual(3);
    });

    test('by its timeout rejects with a CallTimeoutError', async () => {
      const scripted = await connectScripted(transport);
      const { simulation } = scripted;
      const calls = [
        simulation.queriesWith({ timeoutMs: 0 }).ask('x'),
        simulation.commandsWith({ timeoutMs: 0 }).apply('y'),
        simulation.setTickRate(30, { timeoutMs: 0 }),
      ].map((call) => scripted.watch('x', call));
      // The worker never gets a turn.
      await turnsUntil(() => calls.every(({ settled }) => settled > 0));
      expect(calls.map(({ settled }) => settled)).toEqual([1, 1, 1]);
      for (const { outcome } of calls) {
        expect((outcome as { reason: unknown }).reason).toBeInstanceOf(CallTimeoutError);
      }
      await scripted.tick();
      expect([scripted.did, recorded(scripted)]).toEqual([[], []]);
    });
  },
);

describe('wrong options of a call', () => {
  test.each<[unknown, RegExp]>([
    [{ timeoutMs: -1 }, /^timeoutMs must be a number from 0 to 2147483647/],
    [{ timeoutMs: '1' }, /^timeoutMs must be a number/],
    [{ signal: new AbortController() }, /^signal must be an AbortSignal/],
    [{ signal: null }, /^signal must be an AbortSignal/],
    [{ timeout: 1 }, /^unknown option "timeout" of a call: did you mean "timeoutMs"/],
    [null, /^the options of a call must be an object/],
    [500, /^the options of a call must be an object/],
  ])('are refused: %o', async (options, message) => {
    const { simulation, did } = await connectScripted('local');
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
    expect(did).toEqual([]);
  });
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
  const controller = new AbortController();
  const loading = simulation.queriesWith({ signal: controller.signal }).load();
  await time.advance(100);
  expect(begun).toHaveBeenCalledOnce();
  controller.abort(new Error('no longer wanted'));
  await expect(loading).rejects.toThrow('no longer wanted');
  expect(simulation.recording().run.setup).toBe(1);
  loaded.resolve();
  await time.advance(100);
  const { run, lastTick } = simulation.recording();
  expect(run.setup).toBe(2);
  expect(lastTick).toBeLessThan(20);
});
