/**
 * Opens the simulation's memory as the page requests it. For memory that is not shared, the code that synchronizes both
 * sides is loaded on demand: most pages share their memory.
 */
import { openBuffer } from '../../shared/memory/buffer.js';
import { CONTROL, type BufferViews } from '../../shared/memory/layout.js';
import { SnapshotFormatError } from '../../shared/util/errors.js';
import { loadedPart } from '../../shared/util/loaded-part.js';
import {
  isPageUpdate,
  type PageUpdate,
  type WorkerMemory,
} from '../../shared/protocol/transport.js';
import type { WorkerHost } from '../thread/host.js';
import type { LoopSleepParts } from './loop-sleep.js';
import type { WorkerMirror, WorkerMirrorPost } from './worker-mirror.js';

export interface OpenMemory extends Pick<LoopSleepParts, 'waitForRing'> {
  readonly views: BufferViews;
  readonly mirror: WorkerMirror | undefined;
}

/** @param post Posts to the page. */
export async function openMemory(
  memory: WorkerMemory,
  host: WorkerHost,
  post: WorkerMirrorPost,
): Promise<OpenMemory> {
  if (memory.transport === 'transfer') return followPage(memory, host, post);
  const isShared = memory.transport === 'shared';
  const buffer = isShared ? memory.buffer : host.attachedMemory?.();
  if (buffer === undefined) {
    throw new SnapshotFormatError(
      "this worker has its own memory: transport 'local' requires what runLocally returns",
    );
  }
  const views = openBuffer(buffer);
  // The only `Atomics.wait`. It compares and sleeps in one operation: if the bell has rung since `rings` was read, it
  // returns immediately.
  const waitForRing = (rings: number, timeoutMs: number): void =>
    void Atomics.wait(views.control, CONTROL.doorbell, rings, timeoutMs);
  return { views, waitForRing: isShared ? waitForRing : undefined, mirror: undefined };
}

/** Stores the page's updates from now on. */
async function followPage(
  memory: WorkerMemory & { readonly transport: 'transfer' },
  { endpoint }: WorkerHost,
  post: WorkerMirrorPost,
): Promise<OpenMemory> {
  const early: PageUpdate[] = [];
  let receive = (update: PageUpdate): void => void early.push(update);
  endpoint.addEventListener('message', (event) => {
    const { data } = event as MessageEvent<unknown>;
    if (isPageUpdate(data)) receive(data);
  });
  const part = await loadedPart(import('./worker-mirror.js'));
  const views = part.createMirroredBuffer(memory);
  const mirror = new part.WorkerMirror(views, post);
  receive = (update) => mirror.receive(update);
  for (const update of early) mirror.receive(update);
  return { views, waitForRing: undefined, mirror };
}
