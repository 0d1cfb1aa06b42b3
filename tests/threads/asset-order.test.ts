/**
 * The order of an asset's message and the queue, in real threads: a worker receives messages only while its event loop
 * runs, and takes commands from shared memory in each tick.
 *
 *     worker   turn ── held ───────────────┐ tick k: finds the command, and not yet the asset ── turn: messages
 *     page       └ message, command of tick k ┘
 */
import { expect, onTestFinished, test, vi } from 'vitest';
import { INPUT_RECORD } from '../../src/shared/memory/layout.js';
import { QueueWriter } from '../../src/shared/memory/record-queue.js';
import { sleep } from '../fixtures/busy.js';
import { until } from '../fixtures/eventually.js';
import { HeldToy } from '../fixtures/held-toy.js';
import { createGate, heldSteps, openGate } from '../fixtures/step-gate.js';

const NUMBERS = Float32Array.of(1, 2, 3.5);
const ANSWER = ' Float32Array 3 6.5';

/** Catches up every tick that is due, however long a step was held. */
const OPTIONS = { tickRateHz: 60, maxCatchUpTicks: 1000, capacity: 64 } as const;
/** Longer than a period: the tick that takes the command is due when the worker continues. */
const HELD_MS = 40;

/** Adds an asset and names it while the worker is between a turn and a tick, until that tick is due. */
async function addBeforeTick(): Promise<string> {
  const turnGate = createGate();
  const { simulation } = await HeldToy.connect(OPTIONS, { turnGate });
  onTestFinished(() => openGate(turnGate));
  const assets = await simulation.openAssets();
  // JSON has no such argument, so this is a message, which is answered in a turn.
  await simulation.queries.holdTurn(undefined);
  await until('a turn that is held', () => heldSteps(turnGate) > 0);
  const answer = simulation.commands.pushAsset(assets.add(NUMBERS));
  await sleep(HELD_MS);
  openGate(turnGate);
  return answer;
}

test('a command in the queue of a worker that receives no messages waits for the asset that it names', async () => {
  expect(await addBeforeTick()).toBe(ANSWER);
});

test('such a command finds no asset if the queue does not say what it waits for', async () => {
  const push = QueueWriter.prototype.tryPush;
  vi.spyOn(QueueWriter.prototype, 'tryPush').mockImplementation(function tryPush(
    this: QueueWriter,
    type,
    ...rest
  ) {
    return type === INPUT_RECORD.asset || push.call(this, type, ...rest);
  });
  await expect(addBeforeTick()).rejects.toThrow('there is no asset');
});
