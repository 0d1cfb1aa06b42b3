/** The processes in which a browser runs pages and their workers, as reported by Linux. */
import { readdirSync, readFileSync } from 'node:fs';
import { browserName, type BrowserName } from '../../scripts/browsers/driven-browsers.js';

/**
 * How to recognize a process that runs pages by its command line, and a worker's thread by its
 * name.
 */
const SIGNS: Readonly<Record<BrowserName, { process: RegExp; workerThread: RegExp }>> = {
  chromium: { process: /--type=renderer/, workerThread: /^DedicatedWorker/ },
  // Other processes of the same kind show no tab: they belong to Firefox itself.
  firefox: { process: /-contentproc\b.*\btab\b/, workerThread: /^DOM Worker/ },
  webkit: { process: /WebKitWebProcess/, workerThread: /^WebCore: Worker/ },
};

/** Whether this system reports processes and threads. */
export const canReadProcesses = process.platform === 'linux';

/** Processes that run pages and their workers, of the browser that this test run has started. */
export function pageProcesses(): number[] {
  return descendants(process.pid).filter((id) =>
    SIGNS[browserName].process.test(read(`/proc/${id}/cmdline`)),
  );
}

/** Threads of workers in these processes: the processor time that each has used, in clock ticks (100 a second). */
export function workerThreadTicks(): number[] {
  return pageProcesses().flatMap((id) =>
    list(`/proc/${id}/task`).flatMap((thread) => {
      const folder = `/proc/${id}/task/${thread}`;
      if (!SIGNS[browserName].workerThread.test(read(`${folder}/comm`))) return [];
      // User and system time are fields 14 and 15.
      const fields = statFields(`${folder}/stat`);
      return [Number(fields[11]) + Number(fields[12])];
    }),
  );
}

function descendants(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of list('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statFields(`/proc/${name}/stat`)[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [root];
  // Grows during the iteration: children of children.
  for (const id of found) found.push(...(children.get(id) ?? []));
  return found.slice(1);
}

/** The fields after the name in brackets: the state, which is field 3, and so on. */
function statFields(path: string): string[] {
  const stat = read(path);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Processes and threads may end during the iteration. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
