/** The answer of the benchmark, with its doubt, in one sentence. */
import { countText, rateText } from './format.js';
import type { LimitResult } from './result.js';

export interface Answer extends Pick<
  LimitResult,
  'bodies' | 'bodiesLow' | 'bodiesHigh' | 'scene' | 'tickRateHz'
> {
  readonly ended: LimitResult['ended'] | 'measuring';
}

/** Word for the bodies of a scene. */
export const whatIn = (scene: string): string =>
  scene === 'rain' || scene.includes(':') ? 'bodies' : 'boxes';

/** An interval up to this ratio of its ends needs no excuse. */
const NARROW = 1.3;

const isWide = ({ bodiesLow, bodiesHigh }: Pick<Answer, 'bodiesLow' | 'bodiesHigh'>): boolean =>
  bodiesHigh === null || (bodiesHigh > 1 && bodiesHigh > NARROW * bodiesLow);

/**
 * "Your device simulates 1,900 boxes at 60 Hz (between 1,500 and 2,200: it seemed busy; measure again for a narrower
 * answer)."
 *
 * @param who Whose answer, as the sentence begins: "Your device".
 */
export function sentenceOf(answer: Answer, who = 'Your device'): string {
  const { bodies, scene, tickRateHz, ended } = answer;
  const about = ended === 'measuring' ? 'about ' : '';
  const said = `${who} simulates ${about}${countText(bodies)} ${whatIn(scene)} at ${rateText(tickRateHz)} Hz`;
  return `${said} (${boundsText(answer)}${doubtText(answer)}).`;
}

function boundsText({ bodiesLow, bodiesHigh }: Answer): string {
  if (bodiesHigh === null && bodiesLow === 0) return 'a guess';
  if (bodiesHigh === null) return `at least ${countText(bodiesLow)}`;
  if (bodiesLow === 0) return `fewer than ${countText(bodiesHigh)}`;
  return `between ${countText(bodiesLow)} and ${countText(bodiesHigh)}`;
}

function doubtText(answer: Answer): string {
  if (answer.ended === 'measuring') return ' so far';
  if (!isWide(answer)) return '';
  if (answer.bodiesHigh === null && answer.ended === 'found') return ': more are not tried';
  const why = answer.ended === 'stopped' ? 'it was stopped early' : 'it seemed busy';
  return `: ${why}; measure again for a narrower answer`;
}
