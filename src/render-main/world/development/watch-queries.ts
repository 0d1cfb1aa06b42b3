/**
 * Finds queries that are called as if they answered at once, as Rapier's do: `if (world.castRay(…))` is always true, and
 * `world.castRay(…).timeOfImpact` is undefined.
 */
import { warnOnce } from '../../../shared/development/warn-once.js';

/** What answers have, and promises have not: also lists. */
const OF_ANSWERS = [
  'collider',
  'contacts',
  'distance',
  'every',
  'featureId',
  'featureType',
  'filter',
  'find',
  'forEach',
  'isInside',
  'length',
  'map',
  'normal',
  'normal1',
  'normal2',
  'point',
  'point1',
  'point2',
  'some',
  'timeOfImpact',
  'toi',
  'witness1',
  'witness2',
];

/** No application keeps a promise for longer before it is awaited, in ms. */
const PATIENCE_MS = 1000;

const ADVICE =
  'await it; or, for an answer in each frame, read a probe: useProbe, or world.createProbe';

const watched = new WeakSet<object>();
const warned = new Set<string>();

/**
 * Watches the promises that all methods of a class return.
 *
 * @param prototype Of the class. Only the first call counts.
 * @param owner As it is in messages, such as `world`.
 * @param later Calls back when a promise should have been used.
 */
export function watchQueries(prototype: object, owner: string, later = callLater): void {
  if (watched.has(prototype)) return;
  watched.add(prototype);
  const methods = prototype as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const ask = methods[name];
    if (name === 'constructor' || typeof ask !== 'function') continue;
    methods[name] = function watchedQuery(this: unknown, ...args) {
      return watchAnswer(`${owner}.${name}`, ask.apply(this, args), later);
    };
  }
}

function watchAnswer(
  query: string,
  answer: Promise<unknown>,
  later: typeof callLater,
): Promise<unknown> {
  let isUsed = false;
  // The language reads it of each promise that is awaited, or given a callback.
  Object.defineProperty(answer, 'constructor', {
    get() {
      isUsed = true;
      return Promise;
    },
  });
  for (const member of OF_ANSWERS) {
    Object.defineProperty(answer, member, {
      get() {
        throw new TypeError(`${query} returns a promise, which has no ${member}: ${ADVICE}`);
      },
    });
  }
  if (warned.has(query)) return answer;
  later(() => {
    if (isUsed || warned.has(query)) return;
    warned.add(query);
    warnOnce(
      `the answer of ${query}`,
      `${query} returns a promise, and nothing has waited for the answer. In a condition, a promise is always true: ${ADVICE}`,
    );
  });
  return answer;
}

/** Unless the process ends before. */
function callLater(call: () => void): void {
  const timer: unknown = setTimeout(call, PATIENCE_MS);
  (timer as { unref?: () => void }).unref?.();
}
