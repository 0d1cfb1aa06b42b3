/** Bodies that come and go, with generations that wrap, in runs that are saved and drawn: always the right body. */
import { churns, tryChurn } from '../churn/churn.js';
import { propertyPart } from '../property.js';

export const churn = propertyPart({
  name: 'churn',
  about: 'bodies come and go: ids stay right, drawn, saved and restored',
  unit: 'ticks',
  cases: churns,
  check: tryChurn,
  batch: 5,
});
