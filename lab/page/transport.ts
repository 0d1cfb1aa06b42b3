/** Play, pause, restart, slow motion, and the slider for the position in the run. */
import { elementById, setText } from '../../site/elements.js';
import type { Playback } from './playback.js';
import { SPEEDS } from './settings.js';

export interface TransportActions {
  readonly setPlaying: (isPlaying: boolean) => void;
  readonly restart: () => void;
  readonly setSpeed: (speed: number) => void;
  readonly seek: (ms: number) => void;
}

export class Transport {
  readonly #playback: Playback;
  readonly #play = elementById('play', HTMLButtonElement);
  readonly #speed = elementById('speed', HTMLSelectElement);
  readonly #position = elementById('position', HTMLInputElement);
  readonly #time = elementById('time', HTMLOutputElement);

  constructor(playback: Playback, actions: TransportActions) {
    this.#playback = playback;
    const toggle = (): void => actions.setPlaying(!playback.isPlaying);
    this.#play.addEventListener('click', toggle);
    elementById('restart', HTMLButtonElement).addEventListener('click', actions.restart);
    for (const speed of SPEEDS) this.#speed.append(new Option(speedText(speed), String(speed)));
    this.#speed.addEventListener('change', () => actions.setSpeed(Number(this.#speed.value)));
    this.#position.addEventListener('input', () => actions.seek(Number(this.#position.value)));
    addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || isForControl(event)) return;
      const action =
        event.key === ' ' ? toggle : event.key.toLowerCase() === 'r' ? actions.restart : undefined;
      if (action === undefined || event.repeat) return;
      event.preventDefault();
      action();
    });
  }

  show(): void {
    const { isPlaying, speed, atMs, endMs } = this.#playback;
    setText(this.#play, isPlaying ? '❚❚ Pause' : '▶ Play');
    this.#speed.value = String(speed);
    this.#position.max = String(endMs);
    this.#position.value = String(atMs);
    const text = `${(atMs / 1000).toFixed(2)} s of ${(endMs / 1000).toFixed(1)} s`;
    this.#position.setAttribute('aria-valuetext', text);
    setText(this.#time, text);
  }
}

function speedText(speed: number): string {
  return speed === 1 ? 'real time' : `1/${Math.round(1 / speed)} speed`;
}

/** Whether the focused control uses the key itself. */
function isForControl({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('textarea, select') !== null) return true;
  if (target instanceof HTMLInputElement && target.type !== 'range') {
    return target.type !== 'checkbox' || key === ' ';
  }
  return key === ' ' && target.closest('button, summary, a') !== null;
}
