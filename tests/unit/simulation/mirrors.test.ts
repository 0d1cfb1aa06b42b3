import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { PageMirror } from '../../../src/render-main/worker/page-mirror.js';
import { createBuffer } from '../../../src/shared/memory/create-buffer.js';
import { SLOT_HEADER, STATE_HEADER, type BufferViews } from '../../../src/shared/memory/layout.js';
import { Schedule } from '../../../src/shared/time/schedule.js';
import { SnapshotReader, StatusReader } from '../../../src/shared/memory/snapshot-reader.js';
import { SnapshotWriter } from '../../../src/sim-worker/bodies/snapshot-writer.js';
import type { PageUpdate, WorkerUpdate } from '../../../src/shared/protocol/transport.js';
import { BodyRegistry } from '../../../src/sim-worker/bodies/body-registry.js';
import { WorkerMirror } from '../../../src/sim-worker/loop/worker-mirror.js';
import { poseAt } from '../../fixtures/poses.js';
import { present } from '../../fixtures/present.js';

const CAPACITY = 100;
const STATES = 3;
/** The number of buffers that may be in transit or on the page. */
const MAX_PACKETS = 6;

const inOwnMemory = (): BufferViews =>
  createBuffer(CAPACITY, STATES, (byteLength) => new ArrayBuffer(byteLength));

/**
 * A worker's memory and a page's, and the messages between them, which arrive when a test delivers
 * them.
 */
class Pair {
  readonly workerViews = inOwnMemory();
  readonly bodies = new BodyRegistry(CAPACITY);
  readonly writer = new SnapshotWriter(this.workerViews, this.bodies);
  readonly schedule = new Schedule(60);
  readonly toPage: WorkerUpdate[] = [];
  readonly toWorker: PageUpdate[] = [];
  readonly workerMirror = new WorkerMirror(this.workerViews, (update, transfer) => {
    this.toPage.push(structuredClone(update as WorkerUpdate, { transfer }));
  });
  readonly pageMirror: PageMirror;
  readonly reader: SnapshotReader;
  readonly status: StatusReader;
  readonly body = this.bodies.spawn(poseAt(0));
  tick = 0;

  constructor() {
    const port = {
      postMessage: (message: unknown, transfer: Transferable[] = []) => {
        this.toWorker.push(structuredClone(message as PageUpdate, { transfer }));
      },
    };
    this.pageMirror = new PageMirror(inOwnMemory(), port, () => {});
    this.reader = new SnapshotReader(this.pageMirror.views);
    this.status = new StatusReader(this.pageMirror.views);
  }

  publish(): void {
    this.tick += 1;
    this.bodies.beginState(this.writer.nextState);
    this.bodies.setPose(this.body, this.tick, 0, 0, 0, 0, 0, 1);
    this.writer.publishState(
      { tick: this.tick, virtualMs: this.tick * 10, simulatedSeconds: this.tick, latenessMs: 0 },
      this.schedule,
    );
  }

  arriveAtPage(): void {
    const data = this.toPage.shift();
    if (data !== undefined) this.pageMirror.receive(data);
  }

  async arriveAtWorker(): Promise<void> {
    await Promise.resolve();
    const update = this.toWorker.shift();
    if (update !== undefined) this.workerMirror.receive(update);
  }

  /** The tick of the newest state on the page, whose states must be consistent. */
  shownTick(): number {
    const { header, stateHeaders, poses } = this.reader.slot;
    const count = present(header[SLOT_HEADER.stateCount]);
    const newest = present(header[SLOT_HEADER.newestState]);
    const ticks = Array.from({ length: count }, (_, age) => {
      const index = (newest - age) % STATES;
      const tick = present(present(stateHeaders[index])[STATE_HEADER.tick]);
      if (present(poses[index])[0] !== tick) throw new Error(`tick ${tick} has another's poses`);
      return tick;
    });
    const [first = 0] = ticks;
    if (ticks.some((tick, age) => tick !== first - age)) throw new Error(`states ${String(ticks)}`);
    return first;
  }
}

let pair: Pair;
beforeEach(() => void (pair = new Pair()));

test('a mirrored snapshot is the newest one, complete, however late the messages are, in a bounded number of packets', async () => {
  const step = fc.constantFrom('publish', 'send', 'toPage', 'toWorker', 'fetch');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 150, size: 'max' }), async (steps) => {
      const run = new Pair();
      const packets = new Set<ArrayBuffer>();
      const shown: number[] = [0];
      for (const name of steps) {
        if (name === 'publish') run.publish();
        if (name === 'send') run.workerMirror.send();
        if (name === 'toPage') run.arriveAtPage();
        if (name === 'toWorker') await run.arriveAtWorker();
        if (name === 'fetch' && run.reader.fetch()) shown.push(run.shownTick());
        const underWay = run.toPage.filter(({ packet }) => packet !== undefined).length;
        expect(underWay).toBeLessThanOrEqual(MAX_PACKETS);
        for (const { packet } of run.toPage) if (packet !== undefined) packets.add(packet);
      }
      // When everything has arrived, it is the last one.
      for (let round = 0; round < 10; round++) {
        run.workerMirror.send();
        while (run.toPage.length > 0) run.arriveAtPage();
        await run.arriveAtWorker();
      }
      run.reader.fetch();
      expect(run.shownTick()).toBe(run.tick);
      expect(shown).toEqual(shown.toSorted((a, b) => a - b));
      expect(run.status.read()[SLOT_HEADER.newestTick]).toBe(run.tick);
    }),
    { numRuns: 40 },
  );
});

test('a mirrored snapshot waits for a packet, and is sent when one comes back', async () => {
  for (let sent = 0; sent < MAX_PACKETS + 3; sent++) {
    pair.publish();
    pair.workerMirror.send();
  }
  const packets = pair.toPage.map(({ packet }) => packet !== undefined);
  expect(packets.filter(Boolean)).toHaveLength(MAX_PACKETS);
  // The worker's progress is sent anyway.
  expect(pair.toPage.at(-1)?.status[SLOT_HEADER.newestTick]).toBe(MAX_PACKETS + 3);
  while (pair.toPage.length > 0) pair.arriveAtPage();
  await pair.arriveAtWorker();
  await Promise.resolve();
  expect(pair.toPage).toHaveLength(1);
  pair.arriveAtPage();
  pair.reader.fetch();
  expect(pair.shownTick()).toBe(MAX_PACKETS + 3);
});

test('a mirrored snapshot that must be shown uses one extra packet, which is dropped when it comes back', async () => {
  for (let sent = 0; sent < MAX_PACKETS + 4; sent++) {
    pair.publish();
    pair.workerMirror.send(true);
  }
  expect(pair.toPage.every(({ packet }) => packet !== undefined)).toBe(true);
  while (pair.toPage.length > 0) {
    pair.arriveAtPage();
    pair.reader.fetch();
  }
  await pair.arriveAtWorker();
  // Three stay on the page; of the seven that came back four are too many.
  for (let sent = 0; sent < MAX_PACKETS; sent++) {
    pair.publish();
    pair.workerMirror.send();
  }
  expect(pair.toPage.filter(({ packet }) => packet !== undefined)).toHaveLength(3);
});

test('the worker sends everything that it writes in a task together', async () => {
  pair.publish();
  pair.workerMirror.touch();
  pair.publish();
  pair.workerMirror.touch();
  expect(pair.toPage).toHaveLength(0);
  await Promise.resolve();
  expect(pair.toPage).toHaveLength(1);
});

test('the page sends nothing when there is nothing to send', async () => {
  pair.pageMirror.touch();
  await Promise.resolve();
  expect(pair.toWorker).toEqual([]);
});
