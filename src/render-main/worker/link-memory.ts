/** The memory that page and worker exchange everything in, by transport. */
import { createBuffer } from '../../shared/memory/create-buffer.js';
import { LAYOUT_VERSION, type BufferViews } from '../../shared/memory/layout.js';
import type { WorkerMemory } from '../../shared/protocol/transport.js';
import type { ResolvedOptions } from '../api/check-options.js';
import type { PageMirror } from './page-mirror.js';
import type { ChosenTransport, WorkerLike } from '../api/create-worker.js';

export interface LinkMemory {
  readonly views: BufferViews;
  /** What the worker is to open. */
  readonly memoryDescriptor: WorkerMemory;
  /** Where memory is not shared. */
  readonly mirror: PageMirror | undefined;
}

/** @param onEvents Called when events are there that the page asked to be told of, where the worker cannot know that it did. */
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
      return {
        views,
        memoryDescriptor: { transport: kind, buffer: views.buffer },
        mirror: undefined,
      };
    case 'local':
      worker.attachMemory?.(views.buffer);
      return { views, memoryDescriptor: { transport: kind }, mirror: undefined };
    default: {
      // Only pages that need it load it.
      const { PageMirror } = await import('./page-mirror.js');
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
