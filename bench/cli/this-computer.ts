/** The computer's description in a result, independent of the runtime. */
import { arch, cpus, platform, release } from 'node:os';
import type { Machine } from '../engine/index.js';

export function thisComputer(): Pick<Machine, 'cores' | 'cpu' | 'os'> {
  const processors = cpus();
  return {
    cores: Math.max(1, processors.length),
    cpu: processors[0]?.model.trim() ?? null,
    os: `${platform()} ${release()} ${arch()}`,
  };
}
