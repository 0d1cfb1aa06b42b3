import { expect, test } from 'vitest';
import { runtimeOf } from '../../../bench/page/this-device.js';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  [
    'chromium',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  ],
  [
    'chromium',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36 Edg/156.0',
  ],
  [
    'chromium',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36',
  ],
  ['firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'],
  [
    'safari',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/19.0 Safari/605.1.15`,
  ],
  // Every browser with the engine of this one.
  [
    'safari',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${WEBKIT} CriOS/156.0 Mobile/15E148 Safari/604.1`,
  ],
  ['browser', 'Mozilla/5.0 (Example; 1.0) Engine/1.0'],
])('a visitor is said to use %s: %s', (runtime, userAgent) => {
  expect(runtimeOf(userAgent)).toBe(runtime);
});
