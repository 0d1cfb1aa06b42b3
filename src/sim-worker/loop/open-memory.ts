/**
 * Opens the simulation's memory as the page requests it, and chooses how the loop sleeps. For memory that is not
 * shared, the code that synchronizes both sides is loaded on demand: most pages share their memory.
 */
import { openBuffer } from '../../shared/memory/buffer.js';
import { SnapshotFormatError } from '../../shared/util/errors.js';
import { loadedPart } from '../../shared/util/loaded-part.js';
import type { BufferViews } from '../../shared/memory/layout.js';
import {
  isPageUpdate,
  type PageUpdate,
  type WorkerMemory,
} from '../../shared/protocol/transport.js';
import type { WorkerHost } from '../thread/host.js';
import { DoorbellSleeper, TimerSleeper, type Sleeper } from '../thread/sleeper.js';
import type { WorkerMirror, WorkerMirrorPost } from './worker-mirror.js';

export interface OpenMemory {
  readonly views: BufferViews;
  readonly sleeper: Sleeper;
  readonly mirror: WorkerMirror | undefined;
}

/**
 * @param post Posts to the page.
 * @returns A function that opens it synchronously.
 */
export async function loadMemory(
  memory: WorkerMemory,
  host: WorkerHost,
  post: WorkerMirrorPost,
): Promise<() => OpenMemory> {
  if (memory.transport === 'transfer') return followPage(memory, host, post);
  return () => {
    if (memory.transport === 'shared') {
      const views = openBuffer(memory.buffer);
      return { views, sleeper: new DoorbellSleeper(views.control), mirror: undefined };
    }
    const buffer = host.attachedMemory?.();
    if (buffer === undefined) {
      throw new SnapshotFormatError(
        "this worker has its own memory: transport 'local' requires what runLocally returns",
      );
    }
    return { views: openBuffer(buffer), sleeper: new TimerSleeper(), mirror: undefined };
  };
}

/** Stores the page's updates from now on. */
async function followPage(
  memory: WorkerMemory & { readonly transport: 'transfer' },
  { endpoint }: WorkerHost,
  post: WorkerMirrorPost,
): Promise<() => OpenMemory> {
  let mirror: WorkerMirror | undefined;
  const early: PageUpdate[] = [];
  endpoint.addEventListener('message', (event) => {
    const { data } = event as MessageEvent<unknown>;
    if (!isPageUpdate(data)) return;
    if (mirror === undefined) early.push(data);
    else mirror.receive(data);
  });
  const { createMirroredBuffer, WorkerMirror: Mirror } = await loadedPart(
    import('./worker-mirror.js'),
  );
  return () => {
    const views = createMirroredBuffer(memory);
    mirror = new Mirror(views, post);
    for (const update of early.splice(0)) mirror.receive(update);
    return { views, sleeper: new TimerSleeper(), mirror };
  };
}
