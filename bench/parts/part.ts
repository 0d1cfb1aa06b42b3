import type { FigureTable } from '../tables/figures.js';

export interface PartOptions {
  /** As few turns as show that it works. */
  readonly isQuick: boolean;
}

/** One of what `npm run bench:parts` measures. */
export interface Part {
  readonly about: string;
  readonly load: () => Promise<(options: PartOptions) => Promise<readonly FigureTable[]>>;
}
