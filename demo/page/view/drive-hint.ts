/** Shows which keys drive, until the user has driven for a while. */
import type { InputSink, InputValues } from '../../../src/inputs/index.js';

const TEXT = 'Drive with the arrow keys, WASD or a gamepad; brake with Shift';
/** Driving for this long shows that the hint was read, or is not needed. */
const LEARNT_AFTER_MS = 3000;
/** Maximum time that a frame counts: no one drives while the page is frozen. */
const MAX_FRAME_MS = 500;

export class DriveHint {
  readonly root = document.createElement('p');
  /** Controls that are held: kind, device and code of each. */
  readonly #held = new Set<string>();
  #drivenMs = 0;
  #lastFrameMs = Number.NaN;

  constructor() {
    this.root.className = 'drive-hint';
    // Read out when it appears.
    this.root.role = 'status';
    this.root.textContent = TEXT;
  }

  /** The same sink, for driving sources; the hint observes the inputs it takes. */
  watch(sink: InputSink): InputSink {
    this.#held.clear();
    return {
      push: (input, stampMs) => {
        const isTaken = sink.push(input, stampMs);
        if (isTaken) this.#note(input);
        return isTaken;
      },
    };
  }

  setShown(isShown: boolean): void {
    this.root.hidden = !isShown;
  }

  /** Shows the hint again: another scene is driven. */
  startOver(): void {
    this.#drivenMs = 0;
    this.root.classList.remove('learnt');
  }

  /** Call it once a frame. @param frameMs Its time stamp. */
  frame(frameMs: number): void {
    const elapsedMs = Math.min(frameMs - this.#lastFrameMs, MAX_FRAME_MS);
    this.#lastFrameMs = frameMs;
    if (this.#held.size === 0 || Number.isNaN(elapsedMs)) return;
    this.#drivenMs += elapsedMs;
    if (this.#drivenMs >= LEARNT_AFTER_MS) this.root.classList.add('learnt');
  }

  #note({ kind, device, code, x }: InputValues): void {
    const isKey = kind === 'keydown' || kind === 'keyup';
    const control = `${isKey ? 'key' : kind} ${device} ${code}`;
    if (kind === 'keydown' || (!isKey && x !== 0)) this.#held.add(control);
    else this.#held.delete(control);
  }
}
