/** The panel: settings of the connection, and what is measured. */
import { elementById, make, setText } from '../../../site/elements.js';
import { showNote, showToast } from '../../../site/notices.js';
import type { SettingsStore } from '../../../site/settings-store.js';
import { RANGES, type Mode, type Settings } from './settings.js';

const UNITS = { latency: 'ms', jitter: 'ms', loss: '%' } as const;

export function buildPanel(store: SettingsStore<Settings>): void {
  for (const input of modes()) {
    input.addEventListener('change', () => store.update({ mode: input.value as Mode }));
  }
  for (const [name, [min, max]] of Object.entries(RANGES)) {
    const input = elementById(name, HTMLInputElement);
    Object.assign(input, { min, max });
    input.addEventListener('input', () => store.update({ [name]: input.valueAsNumber }));
  }
  const ghost = elementById('ghost', HTMLInputElement);
  ghost.addEventListener('change', () => store.update({ ghost: ghost.checked }));
  elementById('settings', HTMLFormElement).addEventListener('submit', (event) =>
    event.preventDefault(),
  );
  elementById('link', HTMLButtonElement).addEventListener('click', () => void copyLink(store));
  // Where there is room.
  elementById('panel', HTMLDetailsElement).open = innerWidth > 1000;
  store.onChange((settings) => showSettings(settings));
  showSettings(store.current);
}

/** While the page changes to another mode. */
export function lockModes(isLocked: boolean): void {
  elementById('modes', HTMLFieldSetElement).disabled = isLocked;
}

export function showMeasurements(rows: readonly (readonly [name: string, value: string])[]): void {
  const list = elementById('measurements', HTMLDListElement);
  const names = [...list.querySelectorAll('dt')];
  if (names.length !== rows.length || rows.some(([name], at) => names[at]?.textContent !== name)) {
    list.replaceChildren(
      ...rows.flatMap(([name]) => [make('dt', '', name), make('dd')] satisfies Node[]),
    );
  }
  list.querySelectorAll('dd').forEach((cell, at) => setText(cell, rows[at]?.[1] ?? ''));
}

function showSettings(settings: Settings): void {
  for (const input of modes()) input.checked = input.value === settings.mode;
  for (const name of ['latency', 'jitter', 'loss'] as const) {
    elementById(name, HTMLInputElement).value = String(settings[name]);
    const output = document.querySelector<HTMLOutputElement>(`output[for="${name}"]`);
    if (output !== null) setText(output, `${settings[name]} ${UNITS[name]}`);
  }
  elementById('ghost', HTMLInputElement).checked = settings.ghost;
}

const modes = (): readonly HTMLInputElement[] => [
  ...document.querySelectorAll<HTMLInputElement>('input[name="mode"]'),
];

/** Without the name: the one who opens it has another. */
async function copyLink(store: SettingsStore<Settings>): Promise<void> {
  const { room, server } = store.current;
  const link = new URL(location.pathname, location.href);
  if (room !== undefined) link.searchParams.set('room', room);
  if (server !== undefined) link.searchParams.set('server', server);
  try {
    await navigator.clipboard.writeText(link.href);
    showNote('The link is copied: it leads to this room.');
  } catch {
    showToast(`The browser does not let the page copy. The link is ${link.href}`);
  }
}
