/** The benchmark's page: measures the visitor's device. */
import { elementById, make, setText } from '../../site/common/elements.js';
import { AddressReader } from '../../site/common/settings-address.js';
import { durationText, planWork, type BenchOptions, type BenchResult } from '../engine/index.js';
import { ENGINE_NAMES } from '../engines/bench-world.js';
import { messageOf, runBench, type BenchProgress } from '../runner/run-bench.js';
import { workText } from '../runner/work-text.js';
import { SCENE_NAMES } from '../scenes/bench-scene.js';
import { measureOnPage } from './measure-on-page.js';
import { hideOutcome, setUpOutcome, showOutcome } from './outcome.js';
import { fieldsFrom, lengthsFrom, optionsOf, type PageFields } from './settings.js';
import { thisDevice, thisRuntime } from './this-device.js';

const form = elementById('settings', HTMLFormElement);
const scene = elementById('scene', HTMLSelectElement);
const bodies = elementById('bodies', HTMLInputElement);
const rates = elementById('rates', HTMLInputElement);
const length = elementById('length', HTMLSelectElement);
const engines = elementById('engines', HTMLFieldSetElement);
const start = elementById('start', HTMLButtonElement);
const cancel = elementById('cancel', HTMLButtonElement);
const address = new AddressReader(location.search);
const lengths = lengthsFrom(address);
let newest: BenchResult | undefined;
let running: AbortController | undefined;
let last: { readonly progress: BenchProgress; readonly atMs: number } | undefined;
let progressTimer: ReturnType<typeof setInterval> | undefined;

fillForm(fieldsFrom(address));
setUpOutcome(() => newest);
form.addEventListener('input', showEstimate);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const options = readOptions();
  if (options !== undefined && running === undefined) void measure(options);
});
cancel.addEventListener('click', () => running?.abort(new Error('the measurement was cancelled')));
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') running?.abort(new Error('the measurement was cancelled'));
});
showEstimate();

async function measure(options: BenchOptions): Promise<void> {
  const controller = new AbortController();
  running = controller;
  setRunning(true);
  say('Measuring.');
  try {
    let isHidden = false;
    const startMs = performance.now();
    progressTimer = setInterval(() => showProgress(startMs, isHidden), 500);
    newest = await runBench({
      options,
      seed: 1,
      machine: thisDevice(),
      measure: (request) =>
        measureOnPage(request, {
          signal: controller.signal,
          isStopRequested: () => controller.signal.aborted,
          worker: null,
          onHidden(hidden) {
            isHidden = hidden;
          },
        }),
      isStopRequested: () => controller.signal.aborted,
      onProgress(progress) {
        last = { progress, atMs: performance.now() };
        showProgress(startMs, isHidden);
      },
      now: () => performance.now(),
    });
    say('Done.');
    showOutcome(newest);
  } catch (error) {
    showWrong(messageOf(error));
  } finally {
    clearInterval(progressTimer);
    running = undefined;
    setRunning(false);
  }
}

/** The bar follows time, so that a long search visibly progresses. */
function showProgress(startMs: number, isHidden: boolean): void {
  if (last === undefined) return;
  const nowMs = performance.now();
  const { progress, atMs } = last;
  const leftSeconds = Math.max(1, progress.secondsLeft - (nowMs - atMs) / 1000);
  const doneSeconds = (nowMs - startMs) / 1000;
  elementById('progress', HTMLProgressElement).value = doneSeconds / (doneSeconds + leftSeconds);
  const what = isHidden ? 'waiting until the page is visible' : workText(progress);
  setText(elementById('now', HTMLParagraphElement), `${durationText(leftSeconds)} left: ${what}`);
}

function setRunning(isRunning: boolean): void {
  elementById('running', HTMLDivElement).hidden = !isRunning;
  const hadFocus = document.activeElement === start || document.activeElement === cancel;
  start.disabled = isRunning;
  cancel.hidden = !isRunning;
  for (const field of [scene, bodies, rates, length, engines]) field.disabled = isRunning;
  if (isRunning) {
    hideOutcome();
    setText(elementById('now', HTMLParagraphElement), '');
    elementById('progress', HTMLProgressElement).value = 0;
  }
  // A button that disappears must not lose the keyboard focus.
  if (hadFocus) (isRunning ? cancel : start).focus();
}

function fillForm(fields: PageFields): void {
  const scenes: string[] = [...SCENE_NAMES];
  if (!scenes.includes(fields.scene)) scenes.push(fields.scene);
  scene.append(...scenes.map((name) => make('option', '', name)));
  scene.value = fields.scene;
  bodies.value = fields.bodies;
  rates.value = fields.rates;
  length.value = fields.length;
  engines.append(
    ...ENGINE_NAMES.map((name) => {
      const label = make('label');
      const box = make('input');
      box.type = 'checkbox';
      box.value = name;
      box.checked = fields.engines.includes(name);
      label.append(box, name);
      return label;
    }),
  );
}

function readOptions(): BenchOptions | undefined {
  const boxes = [...engines.querySelectorAll('input')];
  try {
    const options = optionsOf(
      {
        scene: scene.value,
        engines: boxes.filter(({ checked }) => checked).map(({ value }) => value),
        bodies: bodies.value,
        rates: rates.value,
        length: length.value,
      },
      lengths,
      thisRuntime(),
    );
    showWrong('');
    return options;
  } catch (error) {
    showWrong(messageOf(error));
    return undefined;
  }
}

function showEstimate(): void {
  const options = readOptions();
  const seconds =
    options === undefined
      ? 0
      : planWork(options).reduce((sum, { plannedSeconds }) => sum + plannedSeconds, 0);
  const text = options === undefined ? '' : `about ${durationText(seconds)}`;
  setText(elementById('estimate', HTMLSpanElement), text);
}

function showWrong(message: string): void {
  const wrong = elementById('wrong', HTMLParagraphElement);
  wrong.hidden = message === '';
  setText(wrong, message);
}

function say(text: string): void {
  setText(elementById('spoken', HTMLParagraphElement), text);
}
