/** Processor time of the current thread: unlike elapsed time, it does not depend on other load. */
import { existsSync, readFileSync } from 'node:fs';

const FILE = '/proc/thread-self/schedstat';
const isKnown = existsSync(FILE);

/** In ms. On systems other than Linux: elapsed time. */
export const threadTimeMs = (): number =>
  isKnown ? Number(readFileSync(FILE, 'utf8').split(' ')[0]) / 1e6 : performance.now();
