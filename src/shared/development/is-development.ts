/** Bundlers put a text here; only Node has the variable itself. */
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * Whether the library warns developers, by the variable `NODE_ENV`, whose value development servers and bundlers write into
 * the code. False where nothing says so: in Node, and on pages without a bundler, which do not have `process`.
 */
export const isDevelopment: boolean = ((): boolean => {
  try {
    // Bundlers look for exactly these words, so they are not tested for with `typeof`.
    return process.env.NODE_ENV === 'development';
  } catch {
    return false;
  }
})();
