/** Where the colliders of a world touch, as the worker answers it. */
import type { SampledFrame } from '../api/sampled-frame.js';
import type { Collider, World } from '../world/index.js';
import type { Vector } from '../../shared/world/fields.js';

export interface ShownContact {
  /** Both within the world. */
  readonly point: Readonly<Vector>;
  readonly normal: Readonly<Vector>;
}

export class WorldContacts {
  readonly #world: World;
  #contacts: readonly ShownContact[] = [];
  #isAsking = false;
  #askedAt = -1;

  constructor(world: World) {
    this.#world = world;
  }

  /** Asks again, if the frame shows another tick. @returns The last answer. */
  update(frame: SampledFrame): readonly ShownContact[] {
    if (frame.hasState && !this.#isAsking && frame.newestTick !== this.#askedAt) {
      this.#askedAt = frame.newestTick;
      this.#isAsking = true;
      this.#ask().then(
        (contacts) => {
          this.#contacts = contacts;
          this.#isAsking = false;
        },
        () => {
          // The world has ended, or another run is shown: there is nothing to draw until the next answer.
          this.#contacts = [];
          this.#isAsking = false;
        },
      );
    }
    return this.#contacts;
  }

  async #ask(): Promise<ShownContact[]> {
    const world = this.#world;
    const colliders = world.colliders.getAll().filter(isMovable);
    const others = await Promise.all(colliders.map((each) => world.contactPairsWith(each)));
    const pairs = colliders.flatMap((collider, index) =>
      // A pair of two that move is found from both sides.
      (others[index] ?? [])
        .filter((other) => !isMovable(other) || collider.handle < other.handle)
        .map((other) => [collider, other] as const),
    );
    const manifolds = await Promise.all(
      pairs
        .filter((pair) => pair.every((each) => each.isValid()))
        .map(([first, second]) => world.contactPair(first, second)),
    );
    return manifolds
      .flat()
      .flatMap(({ normal, solverContacts }) =>
        solverContacts.map(({ point }) => ({ point, normal })),
      );
  }
}

const isMovable = (collider: Collider): boolean => collider.parent()?.isDynamic() === true;
