/** Text for HTML. Everything from a result goes through {@link escaped}. */

/** Text for elements and for attributes in double quotes. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Text whose figures and units stay on one line. */
export const unbroken = (text: string): string =>
  escaped(text).replaceAll(/(\d) (?=(?:Hz|ms|%|×|MB)(?!\w))/g, '$1\u00a0');
