/** Shows a fault that the page cannot recover from by itself. */
import { NotIsolatedError, WorkerFailedError } from '../../src/render-main/index.js';
import { elementById } from '../../site/elements.js';

export interface FaultAction {
  readonly label: string;
  readonly run: () => void;
}

/**
 * @param error What went wrong; its message says what to do.
 * @param action A way to continue, if there is one.
 */
export function showFault(error: unknown, action?: FaultAction): void {
  const dialog = elementById('fault', HTMLDialogElement);
  elementById('fault-title', HTMLHeadingElement).textContent = titleOf(error);
  elementById('fault-message', HTMLParagraphElement).textContent =
    error instanceof Error ? error.message : String(error);
  const stack = stackOf(error);
  const details = elementById('fault-details', HTMLDetailsElement);
  details.hidden = stack === undefined;
  // The worker's own stack is the useful one; the page's stack is there for those who look for it.
  details.open = error instanceof WorkerFailedError;
  elementById('fault-stack', HTMLPreElement).textContent = stack ?? '';
  const button = elementById('fault-action', HTMLButtonElement);
  button.hidden = action === undefined;
  button.textContent = action?.label ?? '';
  button.onclick = () => {
    dialog.close();
    action?.run();
  };
  // Escape would leave a dead page.
  dialog.oncancel = (event) => event.preventDefault();
  if (!dialog.open) dialog.showModal();
  if (action !== undefined) button.focus();
}

function titleOf(error: unknown): string {
  if (error instanceof NotIsolatedError) return 'This page cannot share memory';
  if (error instanceof WorkerFailedError) {
    const hasRun = error.stage === 'tick' || error.stage === 'hang';
    return hasRun ? 'The simulation has stopped' : 'The simulation did not start';
  }
  return 'The page cannot be shown';
}

/** Only if it adds to the message: a problem with the page's headers is not in any stack. */
function stackOf(error: unknown): string | undefined {
  if (error instanceof WorkerFailedError) return error.workerStack;
  if (error instanceof NotIsolatedError || !(error instanceof Error)) return undefined;
  return error.stack;
}
