/// <reference lib="webworker" />
/** A worker that keeps a rate without the library. */
import { keepRate, type BareRate } from '../../fixtures/bare-rate.js';

self.onmessage = ({ data }: MessageEvent<BareRate>) => self.postMessage(keepRate(data));
