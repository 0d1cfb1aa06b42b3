/**
 * An application that talks to the simulation's worker itself, also by Comlink: neither disturbs
 * the other.
 */
import { releaseProxy, wrap, type Endpoint } from 'comlink';
import { expect, inject, onTestFinished, test } from 'vitest';
import { connect, fromNodeWorker } from '../../src/render-main/index.js';
import { PATIENT, startThread, ticksPass, type ToyHandle } from '../fixtures/threads.js';

interface Own {
  double(value: number): number;
  laterDouble(value: number): Promise<number>;
}

test('releasing its own proxy leaves the simulation working', async () => {
  const worker = fromNodeWorker(startThread('with-proxy'));
  const own = wrap<Own>(worker as unknown as Endpoint);
  // The worker runs already when the library gets it.
  expect(await own.double(21)).toBe(42);
  const simulation = (await connect(() => worker, {
    ...PATIENT,
    transport: inject('transport'),
    capacity: 64,
  })) as unknown as ToyHandle;
  onTestFinished(() => simulation.dispose());
  expect(await simulation.queries.echo('before')).toBe('before');
  // The simulation runs, and sleeps on its doorbell in between.
  expect(await own.double(4)).toBe(8);
  expect(await own.laterDouble(4)).toBe(8);

  own[releaseProxy]();
  await ticksPass(simulation);
  expect(await simulation.queries.echo('after')).toBe('after');
  await simulation.pause();
  await simulation.resume();
  await ticksPass(simulation);
});

test('its own messages, whatever their content, are ignored by the library', async () => {
  const worker = fromNodeWorker(startThread('with-proxy'));
  const simulation = (await connect(() => worker, {
    ...PATIENT,
    transport: inject('transport'),
    capacity: 64,
  })) as unknown as ToyHandle;
  onTestFinished(() => simulation.dispose());
  for (const type of ['RELEASE', 'betwixt:page', 'betwixt:port'])
    worker.postMessage({ id: 1, type });
  await ticksPass(simulation);
  expect(await simulation.queries.echo(1)).toBe(1);
});
