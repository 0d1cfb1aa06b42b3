/** Bodies that come and go, with generations that wrap, in runs that are saved and drawn: always the right body. */
import { churns, tryChurn } from '../churn/churn.js';
import type { AttackPart } from '../part.js';
import { attackProperty } from '../property.js';

export const churn: AttackPart = {
  name: 'churn',
  about: 'bodies come and go: ids stay right, drawn, saved and restored',
  unit: 'ticks',
  run: async (context) => {
    let ticks = 0;
    const report = await attackProperty(
      churns,
      async (tested) => {
        ticks += await tryChurn(tested);
      },
      { ...context, onProgress: () => context.onProgress(ticks) },
      { batch: 5 },
    );
    return { ...report, tried: ticks };
  },
};
