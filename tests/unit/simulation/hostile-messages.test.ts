/** Messages with missing fields: the simulation ends with an error that names the field. */
import { expect, onTestFinished, test } from 'vitest';
import { HostileRun } from '../../fixtures/hostile-run.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';

async function connected(transport: 'local' | 'transfer' = 'local'): Promise<HostileRun> {
  const time = new VirtualTime();
  const run = await HostileRun.connect(transport, time.pass);
  onTestFinished(() => run.dispose());
  await run.frames(4);
  return run;
}

/** Ends by itself, with an error that says this. */
async function expectFault(run: HostileRun, says: string): Promise<void> {
  const message = expect.stringContaining(says) as string;
  expect(await run.outcome()).toMatchObject({
    name: 'WorkerFailedError',
    stage: 'protocol',
    message,
  });
}

const BODIES = {
  type: 'betwixt:bodies',
  state: 1,
  tick: 1,
  virtualMs: 1,
  isComplete: false,
  spawned: [],
  tags: [],
  despawned: [],
};

const REPLIES = { type: 'betwixt:replies', tick: 1 };

/** Items of a journal. */
const ITEMS: readonly [item: unknown, says: string][] = [
  [7, 'undefined: is unknown'],
  [null, 'undefined: is unknown'],
  [{ kind: 'toString' }, 'toString: is unknown'],
  [{ kind: 'restart', restarts: 0 }, 'run is Undefined'],
  [{ kind: 'restart', restarts: 0, run: { seed: 1 } }, 'restart: run.'],
  [{ kind: 'state', state: {} }, 'state: state.tick'],
  [{ kind: 'batch', tick: 1, bytes: new Uint8Array(3) }, 'batch: '],
  [{ kind: 'hash', tick: Number.NaN }, 'tick is NaN'],
  [{ kind: 'hash', tick: 0.5, hash: '' }, 'hash: tick must be'],
  [{ kind: 'step', tick: 1, dt: -1 }, 'step: a step must be'],
  [
    { kind: 'command', tick: 1, name: '', args: '', data: 1 },
    'Number, and not Undefined|Int8Array',
  ],
];

test.each<readonly [message: unknown, says: string]>([
  [{ type: 'betwixt:unheard' }, 'betwixt:unheard: is unknown'],
  [{ type: 'betwixt:journal' }, 'betwixt:journal: items is Undefined, and not Array'],
  ...ITEMS.map(([item, says]) => [{ type: 'betwixt:journal', items: [item] }, says] as const),
  [{ type: 'betwixt:bodies' }, 'betwixt:bodies: state is Undefined'],
  [{ ...BODIES, virtualMs: Number.NaN }, 'virtualMs is NaN'],
  [{ ...BODIES, spawned: {} }, 'spawned is Object, and not Array'],
  [{ ...BODIES, spawned: [-1], tags: ['1'] }, 'betwixt:bodies: an invalid id'],
  [{ ...BODIES, despawned: [null] }, 'betwixt:bodies: an invalid id'],
  ...[[], [7], ['{'], [`"${'x'.repeat(999)}"`]].map(
    (tags) => [{ ...BODIES, spawned: [1], tags }, 'betwixt:bodies: an invalid tag'] as const,
  ),
  [REPLIES, 'replies is Undefined, and not Array'],
  [{ ...REPLIES, replies: [null] }, 'betwixt:reply: call is Undefined, and not Number'],
  [{ ...REPLIES, replies: [{ call: 1 }, {}] }, 'call is Undefined, and not Number'],
  [{ ...REPLIES, replies: [{ call: 1, error: null }] }, 'error is Null'],
  [{ type: 'betwixt:notice' }, 'notice is Undefined, and not Object'],
  [{ type: 'betwixt:notice', notice: { kind: 'gap' } }, 'gap: gapMs is Undefined'],
  [{ type: 'betwixt:replay-report', report: 1 }, 'report is Number'],
  [{ type: 'betwixt:replay-stopped', thrown: 1 }, 'thrown is Number'],
  [{ type: 'betwixt:update', words: [] }, 'status is Undefined'],
  [{ type: 'betwixt:failure', message: 'x' }, 'tick is Undefined'],
])(
  'the message %j to the page ends the simulation with an error that names its fault',
  async (message, says) => {
    const run = await connected();
    await run.play([{ do: 'post', to: 'page', message }]);
    await expectFault(run, says);
  },
);

test('the page ignores messages that are not of betwixt', async () => {
  const run = await connected();
  const foreign = [undefined, null, 7, 'betwixt:journal', [], {}, { type: 7 }, { type: 'own' }];
  for (const message of [...foreign, { id: 1 }]) {
    await run.play([{ do: 'post', to: 'page', message }]);
  }
  expect(await run.outcome()).toBeUndefined();
});

test.each([
  [{ type: 'betwixt:page' }, 'betwixt:page: eventHead is Undefined'],
  [{ type: 'betwixt:page', eventHead: 0, packets: [7] }, 'an invalid packet'],
])(
  'without shared memory, the message %j to the worker ends the simulation with an error',
  async (message, says) => {
    const run = await connected('transfer');
    await run.play([{ do: 'post', to: 'worker', message }]);
    await expectFault(run, says);
  },
);
