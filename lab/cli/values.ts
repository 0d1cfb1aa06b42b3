/** Formats of argument values. */
import { firstLineOf, RefusedError } from '../../scripts/cli/errors.js';
import type { Cost, Hitch } from '../engine/index.js';

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

export function number(flag: string, text: string): number {
  if (!NUMBER.test(text)) throw new RefusedError(`${flag} must be a number, but is "${text}"`);
  return Number(text);
}

/** A whole number, or `none` for no limit. */
export function stepCap(flag: string, text: string): number {
  return text === 'none' ? Number.POSITIVE_INFINITY : number(flag, text);
}

/** The same for a flag that sets the options of several steppers; error messages name the flag. */
export function checkedStepCap(flag: string, text: string): number {
  const cap = stepCap(flag, text);
  const isCap = cap === Number.POSITIVE_INFINITY || (Number.isInteger(cap) && cap >= 1);
  if (!isCap) {
    throw new RefusedError(`${flag} must be a whole number from 1, or none, but is "${text}"`);
  }
  return cap;
}

/** `LOW:HIGH`. */
export function pair(flag: string, text: string): [number, number] {
  const parts = text.split(':');
  const [low = '', high = ''] = parts;
  if (parts.length !== 2 || !NUMBER.test(low) || !NUMBER.test(high)) {
    throw new RefusedError(`${flag} must be two numbers with a colon between, but is "${text}"`);
  }
  return [Number(low), Number(high)];
}

/** `2` constant, `1:3` uniform, `2~8` log-normal with this median and 99th percentile. */
export function cost(flag: string, text: string): Cost {
  if (text.includes('~')) {
    const [medianMs, p99Ms] = pair(flag, text.replace('~', ':'));
    return { medianMs, p99Ms };
  }
  if (!text.includes(':')) return number(flag, text);
  const [minMs, maxMs] = pair(flag, text);
  return { minMs, maxMs };
}

/** `AT:DURATION`, both in ms. */
export function hitch(text: string): Hitch {
  const [atMs, durationMs] = pair('--hitch', text);
  return { atMs, durationMs };
}

export function onOff(flag: string, text: string): boolean {
  if (text !== 'on' && text !== 'off') {
    throw new RefusedError(`${flag} must be on or off, but is "${text}"`);
  }
  return text === 'on';
}

/** Options that the engine names differently from the command. */
const RENAMED: Readonly<Record<string, string>> = {
  tickRateHz: '--tick-hz',
  hitches: '--hitch',
  slowUpdates: '--watchdog-slow-updates',
  criticalUpdates: '--watchdog-critical-updates',
  criticalFrames: '--watchdog-critical-frames',
  windowMs: '--watchdog-window-ms',
};

/** The engine's message, with options named as in the command. */
export function flagsInMessage(message: string): string {
  return firstLineOf(message).replace(
    /^(?<stepper>[a-z-]+: )?(?:watchdog\.)?(?<name>[a-z]+(?:[A-Z][a-z]+)*)(?= must|:|')/,
    (_all, stepper: string | undefined, name: string) =>
      (stepper ?? '') + (RENAMED[name] ?? `--${kebab(name)}`),
  );
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
