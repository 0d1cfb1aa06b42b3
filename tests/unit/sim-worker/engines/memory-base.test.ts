/** Copies of a memory by what has changed: compared with plain copies of all of it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedBlocksIn } from '../../../../src/sim-worker/engines/changed-blocks.js';
import { MemoryBase, type BlockCopy } from '../../../../src/sim-worker/engines/memory-base.js';
import { present } from '../../../fixtures/present.js';

const WASM_PAGE = 2 ** 16;
const FROM = 2 ** 16;
const PAGE_WORDS = 1024;

/** An engine's use of its memory: pages that others have taken are between its pages. */
class Engine {
  readonly memory = new WebAssembly.Memory({ initial: 3 });
  readonly #pages = [0, 1, 2];

  get length(): number {
    return this.#pages.length * WASM_PAGE;
  }

  grow(): void {
    this.#pages.push(this.memory.grow(1));
  }

  write(position: number, length: number, value: number): void {
    const bytes = new Uint8Array(this.memory.buffer);
    for (let at = position; at < Math.min(this.length, position + length); at++) {
      const page = this.#pages[Math.floor(at / WASM_PAGE)] ?? 0;
      bytes[page * WASM_PAGE + (at % WASM_PAGE)] = value;
    }
  }

  /** From where copies begin. */
  content(length = this.length): Uint8Array {
    const all = new Uint8Array(length);
    for (const [index, page] of this.#pages.entries()) {
      if (index * WASM_PAGE >= length) break;
      all.set(new Uint8Array(this.memory.buffer, page * WASM_PAGE, WASM_PAGE), index * WASM_PAGE);
    }
    return all.subarray(FROM);
  }
}

interface Held {
  readonly copy: BlockCopy;
  readonly content: Uint8Array;
  readonly length: number;
}

const happenings = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('write' as const),
        at: fc.nat(2 ** 20),
        length: fc.constantFrom(1, 64, 1000, 20_000, 100_000),
        value: fc.integer({ min: 0, max: 255 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('copy' as const), reuse: fc.boolean() }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('return' as const), to: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('grow' as const) }) },
    // Enough copies for a new base, if much has changed.
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('age' as const) }) },
  ),
  { minLength: 10, maxLength: 60 },
);

test.each([0, 0x3f800000])(
  'the checksum of a page of the words %i shows two equal changes, whichever bit and however far apart',
  (content) => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const { collect, sum, blocksEnd } = present(changedBlocksIn(memory));
    const [pageAt, baseAt, masksAt, sumsAt, blocksAt] = [0, 4096, 8192, 8448, 12_288];
    const words = new Uint32Array(memory.buffer, pageAt, PAGE_WORDS).fill(content);
    new Uint32Array(memory.buffer, baseAt, PAGE_WORDS).fill(content);
    sum(baseAt, baseAt + 4096, 0, 0, 0, 0, sumsAt);
    const found = (): number => {
      collect(pageAt, pageAt + 4096, baseAt, blocksAt, 2 ** 15, masksAt, sumsAt);
      return ((blocksEnd.value as number) - blocksAt) / 64;
    };
    expect(found()).toBe(0);
    // Their effects on a checksum are the most likely to cancel each other out.
    const missed: string[] = [];
    for (let bit = 0; bit < 32; bit++) {
      for (let distance = 1; distance < PAGE_WORDS; distance += distance < 64 ? 1 : 32) {
        const flip = (): void => {
          for (const at of [0, distance]) words[at] = (words[at] ?? 0) ^ (1 << bit);
        };
        flip();
        if (found() !== (distance < 16 ? 1 : 2)) missed.push(`bit ${bit}, ${distance} words`);
        flip();
      }
    }
    expect(missed).toEqual([]);
  },
);

test('copies of what has changed put back exactly what was there, whatever was written, kept and grown since', () => {
  let [returns, changedBases, grownReturns] = [0, 0, 0];
  fc.assert(
    fc.property(happenings, (all) => {
      const engine = new Engine();
      const base = present(MemoryBase.of(engine.memory, FROM));
      const held: Held[] = [];
      let areEqual = true;
      for (const happening of all) {
        if (happening.kind === 'write') {
          const { at, length, value } = happening;
          engine.write(FROM + (at % (engine.length - FROM)), length, value);
        } else if (happening.kind === 'grow') engine.grow();
        else if (happening.kind === 'age') {
          for (let count = 0; count < 20; count++) base.copy();
        } else if (happening.kind === 'copy') {
          const used = happening.reuse ? held.shift()?.copy : undefined;
          const copy = base.copy(used);
          held.push({ copy, content: engine.content(), length: engine.length });
        } else {
          const there = held[happening.to % Math.max(1, held.length)];
          if (there === undefined) continue;
          base.putBack(there.copy);
          areEqual &&= Buffer.compare(engine.content(there.length), there.content) === 0;
          returns += 1;
          if (there.copy.base.full !== undefined) changedBases += 1;
          if (there.length < engine.length) grownReturns += 1;
        }
        areEqual &&= base.length === engine.length;
      }
      return areEqual;
    }),
    { numRuns: 40 },
  );
  expect(returns).toBeGreaterThan(40);
  // Each case has occurred: an older base, and a memory that has grown since.
  expect(changedBases).toBeGreaterThan(0);
  expect(grownReturns).toBeGreaterThan(0);
});

test('a copy takes what has changed, in blocks of 64 bytes', () => {
  const engine = new Engine();
  const base = present(MemoryBase.of(engine.memory, FROM));
  base.copy();
  engine.write(FROM + 4096 * 3 + 63, 2, 7);
  engine.write(2 * WASM_PAGE, 1, 9);
  const { masks, blocks } = base.copy();
  const words = new BigUint64Array(masks.buffer, 0, masks.length / 8);
  expect(Array.from(words.entries()).filter(([, mask]) => mask !== 0n)).toEqual([
    [3, 0b11n],
    [16, 1n],
  ]);
  expect([blocks[63], blocks[64], blocks[128]]).toEqual([7, 7, 9]);
});

test('copies compare with a new base once the old one has cost as much as another', () => {
  const engine = new Engine();
  const base = present(MemoryBase.of(engine.memory, FROM));
  const bases = new Set([base.copy().base, base.copy().base]);
  // Half of the memory differs from now on, and a base costs as much as four times all of it.
  engine.write(FROM, WASM_PAGE, 1);
  for (let count = 0; count < 9; count++) bases.add(base.copy().base);
  expect(bases.size).toBe(1);
  const next = base.copy();
  expect(bases.has(next.base)).toBe(false);
  expect(next.masks.every((byte) => byte === 0)).toBe(true);
});

test('there are no copies of what has changed for a memory that cannot grow, and none without SIMD', () => {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 2 });
  expect(MemoryBase.of(memory, FROM)).toBeUndefined();
  const { validate } = WebAssembly;
  WebAssembly.validate = () => false;
  try {
    expect(changedBlocksIn(new WebAssembly.Memory({ initial: 1 }))).toBeUndefined();
  } finally {
    WebAssembly.validate = validate;
  }
});
