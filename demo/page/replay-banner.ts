/**
 * The banner at the top of the page while a replay is shown: its position, its comparison, and the
 * ways to leave it.
 */
import type { ReplayReport } from '../../src/shared/index.js';
import { elementById, make, setText } from '../../site/elements.js';
import { verdictOf } from './recorded-scene.js';
import type { ShownReplay } from './time-travel.js';

export interface BannerActions {
  readonly togglePlay: () => void;
  /** The slider was moved. Called faster than seeking can follow. */
  readonly seek: (tick: number) => void;
  readonly takeOver: () => void;
  readonly close: () => void;
}

export class ReplayBanner {
  readonly #root = elementById('replay', HTMLElement);
  readonly #text = make('span', 'replay-place');
  readonly #verdict = make('span', 'replay-verdict');
  readonly #timeline = make('input');
  readonly #play: HTMLButtonElement;
  #shown: ShownReplay | undefined;
  /** The newest report that is shown. */
  #report: ReplayReport | undefined;
  #isSeeking = false;

  constructor(actions: BannerActions) {
    const text = make('p');
    this.#verdict.setAttribute('role', 'status');
    text.append(this.#text, this.#verdict);
    this.#play = makeButton('Pause', actions.togglePlay);
    const buttons = make('div', 'replay-buttons');
    buttons.append(
      this.#play,
      makeButton('Take over', actions.takeOver),
      makeButton('Close', actions.close),
    );
    this.#setUpTimeline(actions.seek);
    this.#root.append(text, this.#timeline, buttons);
  }

  /** Shows a replay; undefined: hides the banner. */
  show(shown: ShownReplay | undefined): void {
    this.#shown = shown;
    this.#root.hidden = shown === undefined;
    if (shown === undefined) return;
    const { replay, firstTick } = shown;
    this.#timeline.min = String(firstTick);
    this.#timeline.max = String(replay.recording.lastTick);
    this.#compare(shown);
  }

  setPaused(isPaused: boolean): void {
    setText(this.#play, isPaused ? 'Play' : 'Pause');
  }

  /** Call it in each frame. @param tick The tick that it shows. */
  frame(tick: number): void {
    const shown = this.#shown;
    if (shown === undefined) return;
    if (shown.replay.report !== this.#report) this.#compare(shown);
    // The display lags behind the run and stops with it: the last frame shows an earlier tick.
    this.#place(isOver(shown) ? shown.replay.recording.lastTick : tick);
  }

  #compare(shown: ShownReplay): void {
    this.#report = shown.replay.report;
    const { text, isAlarming } = comparisonOf(shown);
    setText(this.#verdict, text);
    this.#verdict.classList.toggle('differs', isAlarming);
  }

  #place(tick: number): void {
    // While the user drags the timeline, the user sets its position.
    if (this.#shown === undefined || this.#isSeeking) return;
    this.#showTick(tick);
    if (this.#timeline.valueAsNumber !== tick) this.#timeline.valueAsNumber = tick;
  }

  #showTick(tick: number): void {
    const { firstTick = 0, replay } = this.#shown ?? {};
    const begin = firstTick === 0 ? '' : `, from ${firstTick}`;
    setText(this.#text, `Replay · tick ${tick} of ${replay?.recording.lastTick ?? 0}${begin}`);
    this.#timeline.setAttribute('aria-valuetext', `tick ${tick}`);
  }

  #setUpTimeline(seek: (tick: number) => void): void {
    const timeline = this.#timeline;
    timeline.type = 'range';
    timeline.step = '1';
    timeline.setAttribute('aria-label', 'Tick of the replay');
    timeline.addEventListener('input', () => {
      const tick = timeline.valueAsNumber;
      this.#isSeeking = true;
      this.#showTick(tick);
      seek(tick);
    });
    // Fires when the slider is released, and after each key.
    timeline.addEventListener('change', () => {
      this.#isSeeking = false;
    });
    // After a drag the keys belong to the page again.
    timeline.addEventListener('pointerup', () => {
      // There is no `change` if it was moved back to where it was.
      this.#isSeeking = false;
      timeline.blur();
    });
  }
}

const isOver = ({ replay: { report, recording } }: ShownReplay): boolean =>
  report.tick >= recording.lastTick;

function comparisonOf(shown: ShownReplay) {
  const { replay, sinceTick, firstTick } = shown;
  const { report } = replay;
  const isAlarming = report.differsAt !== undefined;
  const since = sinceTick === firstTick ? undefined : sinceTick;
  if (isOver(shown)) return { text: verdictOf(report, since), isAlarming };
  if (isAlarming) return { text: `Differs at tick ${report.differsAt}`, isAlarming };
  if (report.hashes === 0) return { text: '', isAlarming };
  const compared = report.hashes === 1 ? '1 hash' : `${report.hashes} hashes`;
  return { text: `${compared} equal so far`, isAlarming };
}

function makeButton(text: string, run: () => void): HTMLButtonElement {
  const button = make('button', '', text);
  button.type = 'button';
  button.addEventListener('click', (event) => {
    run();
    // After a click the keys belong to the page again; a key's own click has no detail.
    if (event.detail > 0) button.blur();
  });
  return button;
}
