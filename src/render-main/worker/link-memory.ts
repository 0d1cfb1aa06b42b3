/** The memory through which page and worker communicate, by transport. */
import { createBuffer } from '../../shared/memory/create-buffer.js';
import { LAYOUT_VERSION, type BufferViews } from '../../shared/memory/layout.js';
import type { WorkerMemory } from '../../shared/protocol/transport.js';
import { loadedPart } from '../../shared/util/loaded-part.js';
import type { ResolvedOptions } from '../api/check-options.js';
import type { PageMirror } from './page-mirror.js';
import type { ChosenTransport, WorkerLike } from '../api/create-worker.js';

export interface LinkMemory {
  readonly views: BufferViews;
  /** What the worker opens. */
  readonly memoryDescriptor: WorkerMemory;
  /** Only without shared memory. */
  readonly mirror?: PageMirror;
}

/** @param onEvents Called when events that the page requested have arrived, if the worker cannot see the request. */
export async function createMemory(
  { kind }: ChosenTransport,
  worker: WorkerLike,
  port: MessagePort,
  { capacity, display: { history }, queues }: ResolvedOptions,
  onEvents: () => void,
): Promise<LinkMemory> {
  const allocate = (byteLength: number): ArrayBufferLike =>
    kind === 'shared' ? new SharedArrayBuffer(byteLength) : new ArrayBuffer(byteLength);
  const views = createBuffer(capacity, history, allocate, queues);
  switch (kind) {
    case 'shared':
      return { views, memoryDescriptor: { transport: kind, buffer: views.buffer } };
    case 'local':
      worker.attachMemory?.(views.buffer);
      return { views, memoryDescriptor: { transport: kind } };
    default: {
      // Only loaded by pages that need it.
      const { PageMirror } = await loadedPart(import('./page-mirror.js'));
      const mirror = new PageMirror(views, port, onEvents);
      const sizes = { capacity, stateCapacity: history, ...queues };
      return {
        views: mirror.views,
        memoryDescriptor: { transport: kind, version: LAYOUT_VERSION, ...sizes },
        mirror,
      };
    }
  }
}
