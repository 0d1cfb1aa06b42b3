/** The memory that a simulation works in, as the page asks for it. */
import { createBuffer, openBuffer } from '../../shared/memory/buffer.js';
import { SnapshotFormatError } from '../../shared/util/errors.js';
import { LAYOUT_VERSION, type BufferViews } from '../../shared/memory/layout.js';
import type { WorkerMemory } from '../../shared/protocol/transport.js';
import type { WorkerHost } from '../thread/host.js';

/** @throws SnapshotFormatError if the page is of another release of this library, or attached none. */
export function openMemory(memory: WorkerMemory, host: WorkerHost): BufferViews {
  switch (memory.transport) {
    case 'shared':
      return openBuffer(memory.buffer);
    case 'transfer':
      if (memory.version !== LAYOUT_VERSION) {
        throw new SnapshotFormatError(
          `the page has layout version ${memory.version}, and this worker version ${LAYOUT_VERSION}: ` +
            'load the page and the worker from the same release',
        );
      }
      return createBuffer(
        memory.capacity,
        memory.stateCapacity,
        (byteLength) => new ArrayBuffer(byteLength),
        memory,
      );
    default: {
      const buffer = host.attachedMemory?.();
      if (buffer === undefined) {
        throw new SnapshotFormatError(
          "this worker has memory of its own: transport 'local' is for what runLocally returns",
        );
      }
      return openBuffer(buffer);
    }
  }
}
