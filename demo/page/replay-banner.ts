/** What tells, at the top of the page, that a replay is shown: where it is, how it compares, and ways out of it. */
import { elementById, make, setText } from '../../site/common/elements.js';
import { verdictOf } from './recorded-scene.js';
import type { ShownReplay } from './time-travel.js';

export interface BannerActions {
  readonly togglePlay: () => void;
  /** The slider was moved. Comes faster than it can be done. */
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

  /** Shows a replay, or that there is none any more. */
  show(shown: ShownReplay | undefined): void {
    this.#shown = shown;
    this.#root.hidden = shown === undefined;
    if (shown === undefined) return;
    const { recording, firstTick } = shown;
    this.#timeline.min = String(firstTick);
    this.#timeline.max = String(recording.lastTick);
    const { text, isAlarming } = comparisonOf(shown);
    setText(this.#verdict, text);
    this.#verdict.classList.toggle('differs', isAlarming);
    // The display runs behind the run, and stops with it: the last frame shows an earlier tick.
    if (shown.report !== undefined) this.#place(recording.lastTick);
  }

  setPaused(isPaused: boolean): void {
    setText(this.#play, isPaused ? 'Play' : 'Pause');
  }

  /** To be called with each frame. @param tick The tick that it shows. */
  setTick(tick: number): void {
    if (this.#shown?.report === undefined) this.#place(tick);
  }

  #place(tick: number): void {
    // Who drags the timeline says where it is.
    if (this.#shown === undefined || this.#isSeeking) return;
    this.#tell(tick);
    if (this.#timeline.valueAsNumber !== tick) this.#timeline.valueAsNumber = tick;
  }

  #tell(tick: number): void {
    const { firstTick = 0, recording } = this.#shown ?? {};
    const begin = firstTick === 0 ? '' : `, from ${firstTick}`;
    setText(this.#text, `Replay · tick ${tick} of ${recording?.lastTick ?? 0}${begin}`);
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
      this.#tell(tick);
      seek(tick);
    });
    // Comes when the slider is let go, and after each key.
    timeline.addEventListener('change', () => {
      this.#isSeeking = false;
    });
    // After a drag the keys belong to the page again.
    timeline.addEventListener('pointerup', () => timeline.blur());
  }
}

function comparisonOf({ report, soFar, sinceTick, firstTick }: ShownReplay) {
  const differs = (report ?? soFar)?.differsAt !== undefined;
  const since = sinceTick === firstTick ? undefined : sinceTick;
  if (report !== undefined) return { text: verdictOf(report, since), isAlarming: differs };
  if (soFar === undefined || soFar.hashes === 0) return { text: '', isAlarming: false };
  if (differs) return { text: `Differs at tick ${soFar.differsAt}`, isAlarming: true };
  const compared = soFar.hashes === 1 ? '1 hash' : `${soFar.hashes} hashes`;
  return { text: `${compared} equal so far`, isAlarming: false };
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
