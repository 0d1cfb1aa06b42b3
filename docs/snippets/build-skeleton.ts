import { rapierSimulation, type RapierTools } from 'betwixt/rapier';

export const createGame = () => rapierSimulation(build);

function build({ physics, events, input }: RapierTools<{ score: number }>) {
  let game = { score: 0 }; // The state of the game, besides the engine's.
  // Then the bodies: floor, cushions, balls. Their ids stay valid for the whole run.
  events.onSensor(() => {}); // Handlers: the library calls them in each tick, after `step`.
  return {
    // Once per tick: read the inputs, change the world, and then let it run for one tick.
    step(dt: number) {
      if (input.wasPressed('Space')) game.score += 1;
      physics.step(dt);
    },
    queries: { score: () => game.score }, // For the page.
    save: () => game, // For rewinding.
    restore: (saved: typeof game) => void (game = saved),
  };
}
