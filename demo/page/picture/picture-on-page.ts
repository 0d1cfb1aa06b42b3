/** The picture, drawn on the page's own thread. */
import { startSimulation } from '../start-simulation.js';
import type { Screen } from '../view/screen.js';
import { SplitOverlay } from '../view/split-view.js';
import { Picture } from './picture.js';
import { canvasSizeOf, type PictureLink, type PictureParts } from './picture-link.js';

/** @throws Error if there is no WebGL 2. */
export function openPicture({ canvas, store, sounds, events }: PictureParts): PictureLink {
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  const screen: Screen = {
    canvas,
    element: canvas,
    page: document,
    size: canvasSizeOf(store.current),
    get window() {
      return { width: innerWidth, height: innerHeight, ratio: devicePixelRatio };
    },
    get prefersStill() {
      return reducedMotion.matches;
    },
    overlay: new SplitOverlay(canvas),
    sounds,
  };
  const picture = new Picture(screen, store, events);
  addEventListener('resize', () => picture.resized());
  return {
    start: async (settings, onEngine) => {
      const simulation = await startSimulation(settings, onEngine);
      picture.follow(simulation);
      return simulation;
    },
    end: () => picture.follow(undefined),
    show: (description, change) => picture.show(description, change),
    hold: (isHeld) => picture.hold(isHeld),
    setCovered: (covered) => picture.setCovered(covered),
    shoot: () => picture.shoot(),
    letGo: () => picture.letGo(),
    press: (key) => picture.press(key),
  };
}
