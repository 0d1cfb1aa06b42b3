/** Whether this page may share memory, and what to tell its developer when it may not. */
import { NotIsolatedError } from '../../shared/util/errors.js';

/** Whether the page's headers allow it. */
export function isIsolated(): boolean {
  // Node's threads share memory without any headers, and have no such flag.
  return 'crossOriginIsolated' in globalThis ? globalThis.crossOriginIsolated : true;
}

export function mayShareMemory(): boolean {
  // WebKitGTK isolates pages as told, and hides SharedArrayBuffer from them all the same.
  return isIsolated() && typeof SharedArrayBuffer !== 'undefined';
}

/** @throws NotIsolatedError that names the missing header and the response that lacks it. */
export async function requireIsolation(): Promise<void> {
  if (mayShareMemory()) return;
  const { diagnose } = await import('./isolation-diagnosis.js');
  throw new NotIsolatedError(await diagnose());
}
