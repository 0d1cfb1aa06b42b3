/**
 * Sounds of hits and sensors, synthesized when needed: a burst of noise through a filter, and a
 * short tone.
 *
 *     noise ─▶ band pass ─▶ envelope ─┐
 *                                     ├─▶ master ─▶ compressor ─▶ loudspeaker
 *     tone ─────────────▶ envelope ───┘
 */

import type { SoundPlayer } from '../view/screen.js';

/** Maximum number of simultaneous sounds. */
const VOICES = 12;
/** Maximum number of sounds that begin in one frame. */
const MAX_PER_FRAME = 4;
const MASTER = 0.5;
const NOISE_SECONDS = 0.4;
/** Loudness of the strongest hit and of a sensor. */
const MAX_GAIN = { hit: 0.9, tone: 0.25 } as const;
/** Hz of the thud of a body of 1 m radius, and the allowed range. */
const THUD = { typical: 220, min: 90, max: 2600 } as const;
/** A pentatonic scale from here on, in Hz: any of its tones sound good together. */
const TONE = 440;
const SCALE = [0, 2, 4, 7, 9, 12] as const;
/** Inaudible by then; an exponential ramp cannot reach 0. */
const SILENT = 0.001;
const START_MS = 2000;

declare global {
  /** For the console: `betwixtSounds.isOn`. */
  var betwixtSounds: Sounds | undefined;
}

export class Sounds implements SoundPlayer {
  #context: AudioContext | undefined;
  #master: GainNode | undefined;
  #noise: AudioBuffer | undefined;
  #isOn = false;
  #voices = 0;
  #begun = 0;

  constructor() {
    globalThis.betwixtSounds = this;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  get voices(): number {
    return this.#voices;
  }

  /**
   * Call it from a click or a key: browsers block sound before that.
   *
   * @throws Error, by the promise, if sound is unavailable.
   */
  async start(): Promise<void> {
    if (typeof AudioContext === 'undefined') throw new Error('this browser does not support audio');
    this.#context ??= this.#build(new AudioContext({ latencyHint: 'interactive' }));
    this.#isOn = true;
    // Where sound is not allowed, the promise never settles.
    await Promise.race([this.#context.resume(), later(START_MS)]);
    if (this.#context.state === 'running' || !this.#isOn) return;
    this.#isOn = false;
    throw new Error('the browser blocks sound until you click on the page: click, then try again');
  }

  async stop(): Promise<void> {
    this.#isOn = false;
    await this.#context?.suspend();
  }

  async dispose(): Promise<void> {
    this.#isOn = false;
    await this.#context?.close();
    this.#context = undefined;
  }

  beginFrame(): void {
    this.#begun = 0;
  }

  hit(strength: number, radius: number): void {
    const context = this.#beginVoice();
    if (context === undefined || this.#noise === undefined) return;
    const pitch = (THUD.typical / Math.max(0.05, radius)) * (0.7 + 0.6 * strength);
    const duration = 0.06 + 0.22 * strength;
    const source = new AudioBufferSourceNode(context, {
      buffer: this.#noise,
      // Random, so that no two sound alike.
      playbackRate: 0.85 + 0.3 * Math.random(),
    });
    const filter = new BiquadFilterNode(context, {
      type: 'bandpass',
      frequency: Math.min(THUD.max, Math.max(THUD.min, pitch)),
      Q: 1.4,
    });
    source.connect(filter);
    this.#sound(source, filter, MAX_GAIN.hit * (0.08 + 0.92 * strength * strength), duration);
  }

  ping(number: number): void {
    const context = this.#beginVoice();
    if (context === undefined) return;
    const step = SCALE[number % SCALE.length] ?? 0;
    const tone = new OscillatorNode(context, {
      type: 'triangle',
      frequency: TONE * 2 ** (step / 12),
    });
    this.#sound(tone, tone, MAX_GAIN.tone, 0.35);
  }

  /** Undefined when it should not sound: sound is off, or too many play already. */
  #beginVoice(): AudioContext | undefined {
    const isFull = this.#voices >= VOICES || this.#begun >= MAX_PER_FRAME;
    if (!this.#isOn || isFull || this.#context?.state !== 'running') return undefined;
    this.#begun += 1;
    this.#voices += 1;
    return this.#context;
  }

  /** Plays a source through the end of its chain, and disconnects both afterwards. */
  #sound(
    source: AudioScheduledSourceNode,
    end: AudioNode,
    gain: number,
    durationSeconds: number,
  ): void {
    const { context } = source;
    const now = context.currentTime;
    const envelope = new GainNode(context, { gain: SILENT });
    envelope.gain.setValueAtTime(SILENT, now);
    envelope.gain.exponentialRampToValueAtTime(Math.max(2 * SILENT, gain), now + 0.004);
    envelope.gain.exponentialRampToValueAtTime(SILENT, now + durationSeconds);
    end.connect(envelope);
    if (this.#master) envelope.connect(this.#master);
    source.start(now);
    source.stop(now + durationSeconds);
    source.addEventListener('ended', () => {
      this.#voices -= 1;
      end.disconnect();
      envelope.disconnect();
    });
  }

  #build(context: AudioContext): AudioContext {
    this.#master = new GainNode(context, { gain: MASTER });
    this.#master.connect(new DynamicsCompressorNode(context)).connect(context.destination);
    const samples = Math.ceil(context.sampleRate * NOISE_SECONDS);
    this.#noise = new AudioBuffer({ length: samples, sampleRate: context.sampleRate });
    const noise = Float32Array.from({ length: samples }, () => 2 * Math.random() - 1);
    this.#noise.copyToChannel(noise, 0);
    return context;
  }
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
