/** A result as a text in the page's address, and back. Pure. */
import type { Parameter } from '../../site/common/parameters.js';
import { type LimitResult, type Measurement } from '../engine/index.js';

/** The part of a search from which all that the page shows follows. */
export type SharedResult = Pick<LimitResult, 'ended' | 'measurements'>;

const ENDS = ['found', 'time', 'stopped'] as const;
/** Number of bodies, a fast step and a slow one in ms: `1900:8.1:15.2`; `1900:-:-` could not run. */
const MEASUREMENT =
  /^(?<bodies>[1-9]\d{0,5}):(?<fast>-|\d{1,6}(?:\.\d{1,6})?):(?<slow>-|\d{1,6}(?:\.\d{1,6})?)$/;

/** `found,100:0.25:0.43,800:2.7:4.1`. */
export const RESULT: Parameter<SharedResult> = {
  rule: 'a result of this page',
  parse(text) {
    const [first, ...others] = text.split(',');
    const ended = ENDS.find((one) => one === first);
    const measurements = others.flatMap((one) => measurementOf(one) ?? []);
    const isWhole = measurements.length === others.length;
    if (ended === undefined || !isWhole || !measurements.some(({ p25Ms }) => p25Ms !== null)) {
      return undefined;
    }
    return { ended, measurements };
  },
  format: ({ ended, measurements }) =>
    [
      ended,
      ...measurements.map(
        ({ bodies, p25Ms, p90Ms }) => `${bodies}:${p25Ms ?? '-'}:${p90Ms ?? '-'}`,
      ),
    ].join(','),
};

function measurementOf(text: string): Measurement | undefined {
  const { bodies, fast, slow } = MEASUREMENT.exec(text)?.groups ?? {};
  if (bodies === undefined) return undefined;
  return { bodies: Number(bodies), p25Ms: msOf(fast), p90Ms: msOf(slow) };
}

const msOf = (given: string | undefined): number | null => (given === '-' ? null : Number(given));

/** The device that a link names; anybody may have written it. */
export const DEVICE: Parameter<string> = {
  rule: 'a text of up to 100 characters',
  parse: (text) => (text.length <= 100 ? text : undefined),
  format: String,
};
