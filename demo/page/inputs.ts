/** Brings panel, keys, pointer and driving together with what they do. */
import { elementById } from './elements.js';
import { listenForKeys } from './keyboard.js';
import { Panel } from './panel.js';
import type { SettingsStore } from './settings-store.js';
import type { SimulationSession } from './simulation-session.js';
import type { DemoView } from './view/demo-view.js';
import { DriveInputSource } from './view/drive-input.js';
import { PointerTools } from './view/pointer-tools.js';

export function connectInputs(
  store: SettingsStore,
  view: DemoView,
  session: SimulationSession,
): void {
  const pointer = new PointerTools(
    view,
    () => session.simulation,
    (look) => view.addBody(look),
    (error) => session.tell(error),
  );
  const driving = new DriveInputSource(elementById('app', HTMLDivElement), (input) =>
    session.drive(input),
  );
  session.onScene((description) => driving.setActive(description.isDrivable));

  const togglePause = (): void => store.update({ paused: !store.current.paused });
  const step = (): void => session.step();
  const reset = (): void => void session.loadScene();
  new Panel(store).mount({
    togglePause,
    step,
    reset,
    shoot: () => pointer.shoot(),
    stallPage: () => blockPage(store.current.stallMs),
    stallWorker: () => session.stallWorker(store.current.stallMs),
  });
  listenForKeys({
    ' ': togglePause,
    '.': step,
    r: reset,
    h: () => store.update({ hud: !store.current.hud }),
  });
}

/** Keeps the page from drawing and from everything else. */
function blockPage(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}
