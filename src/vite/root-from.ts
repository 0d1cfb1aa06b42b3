/**
 * The path from a page to the root of the site: a relative `base` depends on the page's directory.
 *
 * @param path Of the page.
 */
export function rootFrom(path: string, base: string): string {
  if (base !== '' && base !== './') return base;
  return '../'.repeat(path.split('/').length - 2) || '.';
}
