/** Worlds that are edited at random: what they lead to, and that their handles stay theirs. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import type { RigidBody, World, WorldOptions } from '../../../src/render-main/world/index.js';
import { loadRapier, type Rapier } from '../../../src/sim-worker/engines/rapier.js';
import { present } from '../../fixtures/present.js';
import { expectEqual } from '../../fixtures/quick-checks.js';
import { advance, createWorldForTest } from '../../fixtures/worlds.js';
import { buildInRapier, buildOnPage } from '../../fixtures/world-edits/built-at-once.js';
import { EditedWorld, identityOf } from '../../fixtures/world-edits/edited-world.js';
import { turnsOf, type Turn } from '../../fixtures/world-edits/edits.js';
import { savedEngine, stateOf, type EngineState } from '../../fixtures/world-edits/engine-state.js';
import { BODY_SETTINGS, plain } from '../../fixtures/world-edits/settings.js';

/** A worker of its own takes most of the time of a run. */
const RUNS = inject('transport') === 'local' ? 40 : 5;
const SETTINGS = { removes: true, pushes: false, types: true };
const ALL = { removes: true, pushes: true, types: true };
/** Between bodies, in m: none meets another one, or all of them do. */
const APART = 8;
const CLOSE = 0.75;

beforeEach(() => {
  // Edits change what was removed before them in the same turn, which is reported.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function inWorld(
  spacing: number,
  use: (edited: EditedWorld) => Promise<void>,
  options: WorldOptions = {},
): Promise<void> {
  const gravity = { x: 0, y: -9.8125, z: 0 };
  const world = createWorldForTest({ gravity, seed: 1, ...options });
  try {
    await world.ready;
    await use(new EditedWorld(world, spacing));
  } finally {
    await world.dispose();
  }
}

async function perform(
  edited: EditedWorld,
  turns: readonly Turn[],
  isShuffled = false,
): Promise<void> {
  for (const turn of turns) {
    edited.perform(turn, isShuffled);
    edited.requireReads();
    // The end of the page's turn.
    await Promise.resolve();
    edited.requireReads();
    if (turn.ticks > 0) await advance(edited.world, turn.ticks);
  }
}

/** Of the engine in the worker. */
async function engineOf(
  world: World,
  rapier: Rapier,
  comparesMotion: (identity: number) => boolean,
): Promise<EngineState> {
  const engine = await savedEngine(await world.ready, rapier);
  try {
    return stateOf(engine, comparesMotion);
  } finally {
    engine.free();
  }
}

/** Compares a world after its turns with what they led to, built at once. */
async function compareWithFinal(
  edited: EditedWorld,
  rapier: Rapier,
  comparesMotion: (identity: number) => boolean,
): Promise<void> {
  await advance(edited.world, 1);
  const found = await engineOf(edited.world, rapier, comparesMotion);
  const gravity = { x: 0, y: edited.gravity, z: 0 };
  await inWorld(
    APART,
    async ({ world }) => {
      buildOnPage(edited, world);
      await advance(world, 1);
      expectEqual(found, await engineOf(world, rapier, comparesMotion));
    },
    { gravity },
  );
  const own = new rapier.World(gravity);
  own.timestep = 1 / 60;
  buildInRapier(edited, rapier as never, own as never);
  own.step();
  expectEqual(found, stateOf(own, comparesMotion));
  own.free();
}

const setOfFirst = (setter: string): Turn => {
  const setting = BODY_SETTINGS.findIndex((one) => one.setter === setter);
  const set = [setting, 0] as const;
  return { edits: [{ kind: 'set', what: 'body', pick: 0, set }], ticks: 0, shuffle: 0 };
};

/** What random edits seldom come to: the same value again, after something else has replaced it. */
const MASSES: readonly Turn[] = [
  { edits: [{ kind: 'body', type: 0, sets: [], isShort: false }], ticks: 0, shuffle: 0 },
  setOfFirst('setAdditionalMass'),
  setOfFirst('setAdditionalMassProperties'),
  setOfFirst('setAdditionalMass'),
];

const serialsOf = (bodies: EditedWorld['bodies']): ReadonlySet<number> =>
  new Set(bodies.map(({ serial }) => identityOf(serial)));

test('edits before the first tick lead to the same world as what they led to, built at once', async () => {
  const rapier = await loadRapier();
  await fc.assert(
    fc.asyncProperty(turnsOf(SETTINGS, 0), (turns) =>
      inWorld(APART, async (edited) => {
        await perform(edited, turns);
        // What a joint pulls depends on the order of the joints, and how inertia is rounded on that of the colliders.
        const inexact = serialsOf([
          ...edited.joints.flatMap(({ bodies }) => bodies),
          ...edited.colliders.flatMap(({ parent }) => parent ?? []),
        ]);
        await compareWithFinal(edited, rapier, (identity) => !inexact.has(identity));
      }),
    ),
    { seed: 1, numRuns: RUNS, examples: [[MASSES]] },
  );
});

test('edits between ticks lead to the same settings as what they led to, built at once', async () => {
  const rapier = await loadRapier();
  await fc.assert(
    fc.asyncProperty(turnsOf({ ...SETTINGS, types: false }, 2), (turns) =>
      inWorld(APART, async (edited) => {
        await perform(edited, turns);
        const still = serialsOf(edited.bodies.filter(({ type }) => type !== 0));
        await compareWithFinal(edited, rapier, (identity) => still.has(identity));
      }),
    ),
    { seed: 2, numRuns: RUNS },
  );
});

test('edits replay with the same hash in every tick, and every handle reads the pose of its own body', async () => {
  const rapier = await loadRapier();
  await fc.assert(
    fc.asyncProperty(turnsOf(ALL, 3), (turns) =>
      inWorld(
        CLOSE,
        async (edited) => {
          const { world } = edited;
          await perform(edited, turns);
          await advance(world, 1);
          const handle = await world.ready;
          await requireOwnPoses(edited, rapier);
          const recording = handle.recording();
          const replay = await handle.openReplay(recording);
          await replay.seek(recording.lastTick);
          expectEqual(
            { hashes: replay.report.hashes, differsAt: replay.report.differsAt },
            { hashes: recording.lastTick, differsAt: undefined },
          );
          await replay.close();
        },
        { recording: { hashEveryTicks: 1 } },
      ),
    ),
    { seed: 3, numRuns: RUNS },
  );
});

/** The page and the engine agree of each body, and of the bodies that there are. */
async function requireOwnPoses({ world, bodies }: EditedWorld, rapier: Rapier): Promise<void> {
  const handle = await world.ready;
  const engine = await savedEngine(handle, rapier);
  const found = new Map<number, { readonly moves: boolean; readonly motion: unknown }>();
  engine.forEachRigidBody((body) => {
    // What does not move may have a velocity, after a push that did not wake it: none is published.
    const moves = body.isDynamic() && body.isEnabled() && !body.isSleeping();
    found.set(body.gravityScale(), { moves, motion: motionOf(body, moves) });
  });
  engine.free();
  expectEqual([...found.keys()].toSorted(), [...serialsOf(bodies)].toSorted());
  for (const { serial, handle: own } of bodies) {
    const { moves, motion } = present(found.get(identityOf(serial)));
    expectEqual({ serial, motion: motionOf(present(own), moves) }, { serial, motion });
  }
  // Each id that is drawn has the tag of its own body, which may have been removed since.
  for (const [id, tag] of handle.bodies) {
    const body = world.getRigidBody(tag);
    if (body !== undefined) expectEqual({ tag, id: body.id }, { tag, id });
  }
}

const motionOf = (
  body: Pick<RigidBody, 'translation' | 'linvel' | 'angvel'>,
  moves: boolean,
): unknown =>
  plain(moves ? [body.translation(), body.linvel(), body.angvel()] : body.translation());

test('the edits of a turn in another order give the same recording', async () => {
  await fc.assert(
    fc.asyncProperty(turnsOf(ALL, 2), async (turns) => {
      const recordings: unknown[] = [];
      for (const isShuffled of [false, true]) {
        await inWorld(CLOSE, async (edited) => {
          await perform(edited, turns, isShuffled);
          await advance(edited.world, 1);
          recordings.push((await edited.world.ready).recording().entries);
        });
      }
      expect(recordings[1]).toEqual(recordings[0]);
    }),
    { seed: 4, numRuns: RUNS },
  );
});
