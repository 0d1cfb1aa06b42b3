import { createWorld } from 'betwixt/world';

const world = createWorld();
if (location.hash === '#inspect') {
  const { showInspector } = await import('betwixt/inspector');
  showInspector(world.ready);
}
