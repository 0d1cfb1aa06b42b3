/** Whether this page may share memory, and the error for when it may not. */
import { NotIsolatedError } from '../../shared/util/errors.js';

/** Whether the page's headers allow shared memory. */
export function isIsolated(): boolean {
  // Node's threads share memory without any headers and have no such flag.
  return 'crossOriginIsolated' in globalThis ? globalThis.crossOriginIsolated : true;
}

export function mayShareMemory(): boolean {
  // WebKitGTK isolates pages as their headers request, but still hides SharedArrayBuffer from them.
  return isIsolated() && typeof SharedArrayBuffer !== 'undefined';
}

/** @throws NotIsolatedError naming the missing header and the response that lacks it. */
export async function requireIsolation(): Promise<void> {
  if (mayShareMemory()) return;
  const { diagnose } = await import('./isolation-diagnosis.js');
  throw new NotIsolatedError(await diagnose());
}
