/** The device, as far as a page can know it. */
import type { Machine, Runtime } from '../engine/index.js';

interface BrandedNavigator {
  readonly userAgentData?: {
    readonly platform: string;
    readonly brands: readonly { readonly brand: string; readonly version: string }[];
  };
}

export function thisDevice(): Machine {
  return {
    cores: Math.max(1, navigator.hardwareConcurrency),
    cpu: null,
    os: systemName(),
    runtimes: browserVersion(),
    engines: {},
  };
}

/** For people: "Linux, 8 cores, Chromium 156". */
export function deviceText(): string {
  const { os, cores, runtimes } = thisDevice();
  const [name = '', version = ''] = Object.entries(runtimes)[0] ?? [];
  return `${os}, ${cores} ${cores === 1 ? 'core' : 'cores'}, ${name} ${version}`.slice(0, 100);
}

/** The family of the browser that this page is in. */
export const thisRuntime = (): Runtime => runtimeOf(navigator.userAgent);

/** Chromium also names Safari, and Safari names no other: so in this order. */
export function runtimeOf(userAgent: string): Runtime {
  if (/\bFirefox\//.test(userAgent)) return 'firefox';
  if (/Chrom(?:e|ium)\//.test(userAgent)) return 'chromium';
  return /\bVersion\/.*\bSafari\//.test(userAgent) || /\biP(?:hone|ad|od)\b/.test(userAgent)
    ? 'safari'
    : 'browser';
}

function systemName(): string {
  const named = (navigator as BrandedNavigator).userAgentData?.platform;
  if (named !== undefined && named !== '') return named;
  // Such as "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) …".
  const [, inBrackets = ''] = /\((?<system>[^)]*)\)/.exec(navigator.userAgent) ?? [];
  return inBrackets === '' ? 'unknown system' : inBrackets;
}

function browserVersion(): Record<string, string> {
  const { userAgentData } = navigator as BrandedNavigator;
  // One of the brands is a random one, so that no page relies on the list.
  const brand = userAgentData?.brands.find(({ brand: name }) => !/not.?a.?brand/i.test(name));
  if (brand !== undefined) return { [brand.brand]: brand.version };
  const found = /(?<name>Firefox|Edg|Chrome|Version)\/(?<version>[\d.]+)/.exec(navigator.userAgent);
  const { name, version } = found?.groups ?? {};
  if (name === undefined || version === undefined) return { browser: 'unknown' };
  return { [name === 'Version' ? 'Safari' : name]: version };
}
