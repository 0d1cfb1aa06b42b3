/**
 * The process of a {@link file://./registry.ts registry}: `registry-server.ts FOLDER UPSTREAM`. It sends its port when it
 * listens, and ends with the process that started it.
 */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runServer } from 'verdaccio';

const [, , folder = '', upstream = ''] = process.argv;

/** Without an upstream: whatever the world has under these names, it is not asked for them. */
const ours = { access: '$all', publish: '$authenticated' };

const server = await runServer({
  configPath: join(folder, 'config.yaml'),
  storage: join(folder, 'storage'),
  auth: { htpasswd: { file: join(folder, 'htpasswd') } },
  uplinks: {
    // Patient: by itself it gives up an upstream for five minutes after two slow answers.
    upstream: { url: upstream, timeout: '10m', max_fails: 1_000, maxage: '1d' },
  },
  packages: {
    betwixt: ours,
    'create-betwixt': ours,
    '**': { access: '$all', proxy: 'upstream' },
  },
  web: { enable: false },
  log: { type: 'stdout', format: 'pretty', level: 'warn' },
});
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
