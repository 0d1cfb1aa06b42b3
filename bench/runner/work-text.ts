/** What is being measured, in words. */
import { countText, rateText } from '../engine/index.js';
import type { BenchProgress } from './run-bench.js';

export function workText({ work, probe }: BenchProgress): string {
  const subject = `${work.scene}, ${work.engine}, ${work.runtime}`;
  const rate = `${rateText(work.tickRateHz)} Hz`;
  if (work.kind === 'case') return `${subject}, ${countText(work.bodies)} at ${rate}`;
  const trying = probe === undefined ? '' : `, trying ${countText(probe)}`;
  return `${subject}, headroom at ${rate}${trying}`;
}
