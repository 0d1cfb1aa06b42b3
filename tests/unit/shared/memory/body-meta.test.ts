import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BODY_ALIVE,
  BODY_ASLEEP,
  BODY_INVALID,
  CONTINUITY_MASK,
  IDENTITY_MASK,
  afterTeleport,
  bodyId,
  identityOf,
  nextOwner,
  slotOf,
  withoutOwner,
} from '../../../../src/shared/memory/body-meta.js';

const slots = fc.nat(2 ** 20 - 1);
const generations = fc.nat(4095);
const metas = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

test('a body id has the slot in its low 20 bits and the generation above, as an unsigned integer', () => {
  expect(bodyId(5, 3)).toBe(0x0030_0005);
  expect(bodyId(0xf_ffff, 0xfff)).toBe(0xffff_ffff);
  fc.assert(
    fc.property(slots, generations, (slot, generation) => {
      const id = bodyId(slot, generation);
      expect(id).toBe(generation * 2 ** 20 + slot);
      expect(slotOf(id)).toBe(slot);
      expect(identityOf(id)).toBe(BODY_ALIVE | generation);
      // The same after a round trip through a Uint32Array, which is how drawers store ids.
      expect(Uint32Array.of(id)[0]).toBe(id);
    }),
  );
});

test('the meta lane has a bit for each of alive, asleep and invalid, and masks that go with them', () => {
  expect(BODY_ALIVE).toBe(0x10_0000);
  expect(BODY_ASLEEP).toBe(0x20_0000);
  expect(BODY_INVALID).toBe(0x40_0000);
  expect(CONTINUITY_MASK >>> 0).toBe(0xff9f_ffff);
  expect(IDENTITY_MASK).toBe(0x10_0fff);
});

test('a new owner has the next generation, is alive and awake, and has not teleported', () => {
  fc.assert(
    fc.property(metas, (meta) => {
      const owned = nextOwner(meta);
      const generation = ((meta & 0xfff) + 1) % 4096;
      const rounds = ((meta >>> 23) + (generation === 0 ? 1 : 0)) % 512;
      expect(owned).toBe(BODY_ALIVE | generation | (rounds << 23));
      expect(owned & IDENTITY_MASK).toBe(identityOf(bodyId(7, generation)));
    }),
  );
});

test('an owner that left keeps its generation, with its rounds, and nothing else', () => {
  fc.assert(
    fc.property(metas, (meta) => {
      expect(withoutOwner(meta)).toBe(meta & ~0x7f_f000);
    }),
  );
});

test('a teleport changes only its counter, and rounds distinguish 256 teleports from none', () => {
  fc.assert(
    fc.property(metas, (meta) => {
      const moved = afterTeleport(meta);
      expect(moved & 0x70_0fff).toBe(meta & 0x70_0fff);
      expect((moved >>> 12) & 0xff).toBe((((meta >>> 12) & 0xff) + 1) % 256);
      let again = meta;
      for (let teleport = 0; teleport < 256; teleport++) again = afterTeleport(again);
      expect(again & 0x7f_ffff).toBe(meta & 0x7f_ffff);
      expect(again >>> 23).toBe(((meta >>> 23) + 1) % 512);
    }),
    { numRuns: 30 },
  );
});
