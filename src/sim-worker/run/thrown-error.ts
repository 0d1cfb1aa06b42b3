/** The part of an error that is sent to the page. */
import type { ThrownError } from '../../shared/protocol/control-protocol.js';

export function thrownError(error: unknown): ThrownError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined };
  return { name: error.name, message: error.message, stack: error.stack };
}
