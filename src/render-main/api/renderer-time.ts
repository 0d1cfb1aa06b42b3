/** Time that this page has spent in renderers, in ms; NaN: none is measured. The renderer is the application's. */
export const rendererTime = { ms: Number.NaN };
