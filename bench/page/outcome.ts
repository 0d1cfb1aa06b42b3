/** Shows a result: its verdict, its report, and ways to save it. */
import { verdictsOf, type BenchResult } from '../engine/index.js';
import { elementById, make, setText } from '../../site/common/elements.js';
import { reportHtml } from '../report/index.js';

export function showOutcome(result: BenchResult): void {
  const verdicts = verdictsOf(result);
  // The figures of a cancelled run must not be read as the device's limit: its note comes first.
  const cut = verdicts.slice(0, result.wasCancelled ? 1 : 0);
  const rest = verdicts.slice(cut.length);
  const [first, ...others] = cut.concat(
    rest.toSorted((a, b) => Number(a.tone === 'note') - Number(b.tone === 'note')),
  );
  const several = verdicts.filter(({ tone }) => tone !== 'note').length > 1;
  const text = ({ subject, sentence }: { subject: string; sentence: string }): string =>
    several && subject !== '' ? `${subject}: ${sentence}` : sentence;
  elementById('outcome', HTMLElement).hidden = false;
  const heading = elementById('verdict', HTMLHeadingElement);
  setText(heading, first === undefined ? 'Nothing was measured.' : text(first));
  elementById('verdicts', HTMLUListElement).replaceChildren(
    ...others.map((one) => make('li', one.tone, text(one))),
  );
  setText(elementById('copy-status', HTMLSpanElement), '');
  showReport(result);
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: 'nearest' });
}

export function hideOutcome(): void {
  elementById('outcome', HTMLElement).hidden = true;
}

/** @param newest The result that is shown. */
export function setUpOutcome(newest: () => BenchResult | undefined): void {
  const copyStatus = elementById('copy-status', HTMLSpanElement);
  const onClick = (id: string, use: (result: BenchResult) => void): void => {
    elementById(id, HTMLButtonElement).addEventListener('click', () => {
      const result = newest();
      if (result !== undefined) use(result);
    });
  };
  onClick('copy', (result) => {
    navigator.clipboard.writeText(jsonOf(result)).then(
      () => setText(copyStatus, 'Copied.'),
      () => setText(copyStatus, 'The browser blocked copying. Download the file instead.'),
    );
  });
  onClick('download', (result) => save('tick-budget.json', 'application/json', jsonOf(result)));
  onClick('report', (result) => save('tick-budget.html', 'text/html', reportHtml(result)));
}

const jsonOf = (result: BenchResult): string => `${JSON.stringify(result, undefined, 1)}\n`;

function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = make('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The report as it is saved, in a frame of its full height. */
function showReport(result: BenchResult): void {
  const frame = elementById('plots', HTMLIFrameElement);
  // Dark like this page, whatever the system's setting, and without the parts that the page shows
  // itself.
  frame.srcdoc = reportHtml(result)
    .replace('@media (prefers-color-scheme: dark)', '@media all')
    .replace('</style>', 'h1, .verdicts { display: none; } h2 { margin-top: 8px; }</style>');
  frame.addEventListener(
    'load',
    () => {
      const body = frame.contentDocument?.body;
      if (body === undefined) return;
      const fit = (): void => {
        frame.style.height = `${body.offsetHeight + 2}px`;
      };
      new ResizeObserver(fit).observe(body);
      fit();
    },
    { once: true },
  );
}
