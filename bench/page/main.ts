/** The benchmark's page: measures the visitor's device. */
import { elementById, make, setText } from '../../site/elements.js';
import { AddressReader } from '../../site/settings-address.js';
import {
  durationText,
  planWork,
  type BenchOptions,
  type BenchResult,
  type Estimate,
} from '../engine/index.js';
import { ENGINE_NAMES } from '../engines/bench-world.js';
import { requireIsolation } from '../runner/open-simulation.js';
import { messageOf, runBench } from '../runner/run-bench.js';
import { workText } from '../runner/work-text.js';
import { SCENE_NAMES } from '../scenes/bench-scene.js';
import { measureOnPage } from './measure-on-page.js';
import { hideOutcome, setUpOutcome, showOutcome } from './outcome.js';
import { headlineOf, searchView } from './search-view.js';
import { fieldsFrom, optionsOf } from './settings.js';
import { thisDevice } from './this-device.js';

const form = elementById('settings', HTMLFormElement);
const scene = elementById('scene', HTMLSelectElement);
const engine = elementById('engine', HTMLSelectElement);
const rate = elementById('rate', HTMLSelectElement);
const start = elementById('start', HTMLButtonElement);
const stop = elementById('stop', HTMLButtonElement);
const search = elementById('search', HTMLDivElement);
const address = new AddressReader(location.search);
let newest: BenchResult | undefined;
let running: AbortController | undefined;

const initial = fieldsFrom(address);
fill(scene, SCENE_NAMES, initial.scene);
fill(engine, ENGINE_NAMES, initial.engine);
fill(rate, ['30', '60', '120', '240'], initial.rate);
setUpOutcome(() => newest);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (running === undefined) void measure();
});
stop.addEventListener('click', () => running?.abort());
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') running?.abort();
});
const [planned] = planWork(optionsNow());
const duration = durationText(planned?.plannedSeconds ?? 0);
showNow(
  `An estimate in seconds, the result in about ${duration}. Leave the device alone until then.`,
);
if (address.textOf('start') !== null) form.requestSubmit();

async function measure(): Promise<void> {
  running = new AbortController();
  const { signal } = running;
  const isStopRequested = (): boolean => signal.aborted;
  const estimates: Estimate[] = [];
  setRunning(true);
  search.replaceChildren();
  hideOutcome();
  say('Measuring.');
  try {
    await requireIsolation();
    newest = await runBench({
      options: optionsNow(),
      seed: 1,
      machine: thisDevice(),
      measure: (request) =>
        measureOnPage(request, {
          signal,
          isStopRequested,
          worker: null,
          onHidden(isHidden) {
            showNow(isHidden ? 'waiting until the page is visible' : 'measuring again');
          },
        }),
      isStopRequested,
      // The page changes before and after a measurement, and never during one.
      onProgress: (progress) => showNow(workText(progress)),
      onEstimate(work, estimate) {
        estimates.push(estimate);
        search.replaceChildren(...searchView(work, estimates));
        say(headlineOf(work, estimate));
      },
      now: () => performance.now(),
    });
    say(showOutcome(newest));
    showNow('');
  } catch (error) {
    showNow(messageOf(error));
    say(messageOf(error));
  } finally {
    running = undefined;
    setRunning(false);
  }
}

function optionsNow(): BenchOptions {
  return optionsOf({ scene: scene.value, engine: engine.value, rate: rate.value }, address);
}

function setRunning(isRunning: boolean): void {
  const hadFocus = document.activeElement === start || document.activeElement === stop;
  start.disabled = isRunning;
  stop.hidden = !isRunning;
  for (const field of [scene, engine, rate]) field.disabled = isRunning;
  // A button that disappears must not lose the keyboard focus.
  if (hadFocus) (isRunning ? stop : start).focus();
}

function fill(select: HTMLSelectElement, values: readonly string[], value: string): void {
  for (const one of new Set([...values, value])) select.append(make('option', '', one));
  select.value = value;
}

function showNow(text: string): void {
  setText(elementById('now', HTMLSpanElement), text);
}

function say(text: string): void {
  setText(elementById('spoken', HTMLParagraphElement), text);
}
