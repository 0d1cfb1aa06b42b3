/** The benchmark's page: measures the visitor's device. */
import { elementById, make, setText } from '../../site/common/elements.js';
import { optional } from '../../site/common/parameters.js';
import { AddressReader, changedTexts, queryOf } from '../../site/common/settings-address.js';
import { countText, durationText, whatIn } from '../engine/index.js';
import { requireIsolation } from '../runner/open-simulation.js';
import { messageOf, runBench } from '../runner/run-bench.js';
import { EXAMPLE } from './example.js';
import { measureOnPage } from './measure-on-page.js';
import { DEVICE, RESULT, type SharedResult } from './result-link.js';
import { showResult } from './result-view.js';
import {
  DEFAULT_FIELDS,
  ENGINE_LABELS,
  RATE_LABELS,
  SCENE_LABELS,
  commandOf,
  fieldsFrom,
  optionsOf,
  type Fields,
} from './settings.js';
import { deviceText, thisDevice } from './this-device.js';

const form = elementById('settings', HTMLFormElement);
const scene = elementById('scene', HTMLSelectElement);
const engine = elementById('engine', HTMLSelectElement);
const rate = elementById('rate', HTMLSelectElement);
const start = elementById('start', HTMLButtonElement);
const stop = elementById('stop', HTMLButtonElement);
const copy = elementById('copy', HTMLButtonElement);
const address = new AddressReader(location.search);
let running: AbortController | undefined;
let hasMeasured = false;

const initial = fieldsFrom(address);
fill(scene, SCENE_LABELS, initial.scene);
fill(engine, ENGINE_LABELS, initial.engine);
fill(rate, RATE_LABELS, initial.rate);
showCommand();
const linked = address.read<SharedResult | undefined>('result', optional(RESULT), undefined);
if (linked === undefined) showExample();
else {
  const device = address.read('device', DEVICE, '');
  const origin = `The result in this link${device === '' ? '' : `, measured on: ${device}`}`;
  showResult({ ...linked, fields: initial, who: 'That device', origin });
  copy.hidden = false;
  setText(elementById('copy-status', HTMLSpanElement), '');
}
showNow(
  address.problems[0]?.message ??
    'The first number comes within seconds, the last within a minute. Leave the device alone until then.',
);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (running === undefined) void measure();
});
form.addEventListener('change', showCommand);
stop.addEventListener('click', () => running?.abort());
copy.addEventListener('click', () => {
  const status = elementById('copy-status', HTMLSpanElement);
  navigator.clipboard.writeText(location.href).then(
    () => setText(status, 'Copied.'),
    () => setText(status, 'The browser refused; the address bar has the link.'),
  );
});
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') running?.abort();
});
if (address.textOf('start') !== null) form.requestSubmit();

async function measure(): Promise<void> {
  running = new AbortController();
  const { signal } = running;
  const fields = fieldsNow();
  let hiddenMs = 0;
  let hiddenAtMs = 0;
  setRunning(true);
  showNow('Starting.');
  try {
    await requireIsolation();
    const { limits, failures } = await runBench({
      options: optionsOf(fields),
      seed: 1,
      machine: thisDevice(),
      measure: (request) =>
        measureOnPage(request, {
          signal,
          isStopRequested: () => signal.aborted,
          worker: null,
          drawsFrames: false,
          onHidden(isHidden) {
            if (isHidden) hiddenAtMs = performance.now();
            else hiddenMs += performance.now() - hiddenAtMs;
            showNow(isHidden ? 'Waiting until the page is visible.' : 'Measuring again.');
          },
        }),
      isStopRequested: () => signal.aborted,
      // The page changes before and after a measurement, and never during one.
      onProgress: ({ work, secondsLeft }) =>
        showNow(
          `Trying ${countText(work.bodies)} ${whatIn(work.scene)}; at most ${durationText(Math.max(1, secondsLeft))} left.`,
        ),
      onMeasured: ({ measurements }) => show({ ended: 'measuring', measurements, fields }),
      now: () => performance.now() - hiddenMs,
    });
    const [limit] = limits;
    if (limit === undefined) {
      showNow(failures[0]?.message ?? 'Stopped before the first number.');
      return;
    }
    hasMeasured = true;
    show({ ...limit, fields });
    showNow('');
    carryInAddress(fields, limit);
  } catch (error) {
    showNow(messageOf(error));
  } finally {
    running = undefined;
    setRunning(false);
  }
}

function show(result: Omit<Parameters<typeof showResult>[0], 'who' | 'origin'>): void {
  const sentence = showResult({ ...result, who: 'Your device', origin: '' });
  setText(elementById('spoken', HTMLParagraphElement), sentence);
}

function showExample(): void {
  const origin = 'An example. Press Measure for your own device';
  showResult({
    ...EXAMPLE,
    fields: DEFAULT_FIELDS,
    who: 'A virtual machine with two cores',
    origin,
  });
}

function carryInAddress(fields: Fields, { ended, measurements }: SharedResult): void {
  const result = RESULT.format({ ended, measurements });
  const text = { rule: '', parse: String, format: String };
  const changed = changedTexts<Fields>(
    { scene: text, engine: text, rate: text },
    fields,
    DEFAULT_FIELDS,
  );
  const query = queryOf([...changed, ['device', deviceText()], ['result', result]]);
  history.replaceState(null, '', query);
  copy.hidden = false;
  setText(elementById('copy-status', HTMLSpanElement), '');
}

function fieldsNow(): Fields {
  return { scene: scene.value, engine: engine.value, rate: rate.value };
}

function showCommand(): void {
  setText(elementById('command', HTMLElement), commandOf(fieldsNow()));
}

function setRunning(isRunning: boolean): void {
  const hadFocus = document.activeElement === start || document.activeElement === stop;
  start.disabled = isRunning;
  stop.hidden = !isRunning;
  setText(start, hasMeasured ? 'Measure again' : 'Measure');
  for (const field of [scene, engine, rate]) field.disabled = isRunning;
  // A button that disappears must not lose the keyboard focus.
  if (hadFocus) (isRunning ? stop : start).focus();
}

function fill(select: HTMLSelectElement, labels: Readonly<Record<string, string>>, value: string) {
  for (const name of new Set([...Object.keys(labels), value])) {
    const option = make('option', '', labels[name] ?? name);
    option.value = name;
    select.append(option);
  }
  select.value = value;
}

function showNow(text: string): void {
  setText(elementById('now', HTMLSpanElement), text);
}
