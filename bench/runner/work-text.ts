/** Describes the current measurement. */
import { countText, pointText, rateText } from '../engine/index.js';
import type { BenchProgress } from './run-bench.js';

export function workText({ work, probe }: BenchProgress): string {
  const subject = `${work.scene}, ${work.engine}, ${work.runtime}`;
  if (work.kind === 'case') return `${subject}, ${pointText(work)}`;
  const rate = `${rateText(work.tickRateHz)} Hz`;
  const trying = probe === undefined ? '' : `, trying ${countText(probe)}`;
  return `${subject}, headroom at ${rate}${trying}`;
}
