/** What records a run loads while a worker is initialized, if the run is recorded. */
import { expect, test, vi } from 'vitest';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import { createControlServer } from '../../../../src/sim-worker/loop/control-server.js';
import { PageCalls } from '../../../../src/sim-worker/thread/page-calls.js';
import { failPart } from '../../../fixtures/replaced-parts.js';
import { scriptedHost } from '../../../fixtures/scripted-host.js';
import { DEFAULT_WORKER_OPTIONS } from '../../../fixtures/worker-options.js';

test('a run that is not recorded needs no journal; without it, no recorded run begins', async () => {
  failPart('sim-worker/run/journal.ts');
  const init = vi.fn<() => void>();
  const parts = {
    host: scriptedHost(() => 0),
    simulation: { init, step: () => {} },
    calls: new PageCalls(),
    post: () => {},
  };
  const memory = { transport: 'shared', buffer: createBuffer(4, 4).buffer } as const;
  const recorded = { ...DEFAULT_WORKER_OPTIONS, isRecorded: true, hashEveryTicks: 1 };
  const failing = createControlServer(parts).initialize(memory, recorded);
  await expect(failing).rejects.toThrow(/^a part of betwixt did not load: .*Check the connection/s);
  expect(init).not.toHaveBeenCalled();
  const options = { ...recorded, isRecorded: false };
  await createControlServer(parts).initialize(memory, options);
  expect(init).toHaveBeenCalledTimes(1);
});
