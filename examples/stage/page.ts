/** The elements of an example's page. */

/** The page's first element of a kind. */
export const element = <Name extends keyof HTMLElementTagNameMap>(name: Name) =>
  document.querySelector(name) as HTMLElementTagNameMap[Name];

/** Says on the page why there is no physics. @throws The error itself. */
export function fail(error: unknown): never {
  const alert = document.querySelector('[role=alert]');
  if (alert !== null) alert.textContent = `The physics failed: ${String(error)}`;
  throw error;
}
