/**
 * Finds which blocks of 64 bytes differ between two parts of a WebAssembly memory, and puts blocks into a part of it: in
 * WebAssembly with SIMD, at the speed of the memory. JavaScript takes five times as long. Pages here are 4 KiB, with a bit
 * per block in a mask of 64.
 *
 *     memory   │■□□■│□□□□│□■□□│      ■ differs
 *     masks     1001 0000 0100
 *     blocks   │■■■│
 *
 * Most pages do not change, and the speed of the memory is the limit. So a page is read alone at first: only if its
 * checksum is not that of the page it is compared with, both are. That takes two thirds of the time of reading both. Those
 * that have changed the last time are compared at once.
 *
 * The instructions below are the code: each name is one of the WebAssembly specification.
 */

export const BLOCK_BYTES = 64;
export const PAGE_BYTES = 4096;
/** A bit per block of a page. */
export const MASK_BYTES = 8;
/** Of a page. */
export const SUM_BYTES = 16;

/**
 * Where one of the functions begins and ends.
 *
 * @param at Address of the first page.
 * @param end Address after the last one.
 * @param distance From a page to the one that it is compared with, in bytes.
 * @param blocks Address of the blocks.
 * @param last At most up to here, a page still fits among the blocks; or the end of the blocks.
 * @param masks Address of the masks. Those that are there when it begins are a guess: of a page with one, the checksum is
 *   not computed.
 * @param sums Address of the checksums of the pages that it is compared with.
 * @returns The page at which it ended, for lack of room or of blocks. `blocksEnd` has where its blocks end.
 */
type Scan = (
  at: number,
  end: number,
  distance: number,
  blocks: number,
  last: number,
  masks: number,
  sums: number,
) => number;

export interface ChangedBlocks {
  /** Writes the blocks that differ, and the masks. */
  readonly collect: Scan;
  /** Writes the checksums of pages. It uses no blocks and no masks. */
  readonly sum: Scan;
  /** Writes blocks to where the masks say. */
  readonly place: Scan;
  readonly blocksEnd: WebAssembly.Global;
}

// Parameters and variables of all functions.
const [AT, END, DISTANCE, BLOCKS, LAST, MASKS, SUMS] = [0, 1, 2, 3, 4, 5, 6];
const [OTHER, DONE, MASK] = [7, 8, 9];
/** The eight parts of a checksum. */
const LANES = Array.from({ length: 8 }, (_, index) => 10 + index);

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const setGlobal = (index: number) => [0x24, index];
/** A number below 2^28, in seven bits per byte. */
const leb = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >> 7)];
/** A constant from 0 to 63 takes a byte; 64 and 4096 need one more for the sign. */
const constant = (opcode: number, value: number): number[] => {
  const bytes = leb(value);
  const final = bytes.at(-1) ?? 0;
  return [opcode, ...(final < 0x40 ? bytes : [...bytes.slice(0, -1), final | 0x80, 0])];
};
const i32 = (value: number) => constant(0x41, value);
const i64 = (value: number) => constant(0x42, value);
const [BLOCK, LOOP, IF, FINISH] = [[0x02, 0x40], [0x03, 0x40], [0x04, 0x40], [0x0b]];
const br = (depth: number) => [0x0c, depth];
const brIf = (depth: number) => [0x0d, depth];
const [I32_ADD, I32_SUB, I32_SHL, I32_WRAP] = [[0x6a], [0x6b], [0x74], [0xa7]];
const [I32_LT, I32_GT, I32_GE] = [[0x49], [0x4b], [0x4f]];
const [I64_EQZ, I64_CTZ, I64_POPCNT, I64_SUB] = [[0x50], [0x7a], [0x7b], [0x7d]];
const [I64_AND, I64_OR, I64_SHL, I64_EXTEND, I32_EQZ] = [[0x83], [0x84], [0x86], [0xad], [0x45]];
const [I64_LOAD, I64_STORE] = [
  [0x29, 3, 0],
  [0x37, 3, 0],
];
/** One instruction after the other. */
const code = (...parts: readonly (readonly number[])[]) => parts.flat();
const load = (offset: number) => [0xfd, 0x00, 4, ...leb(offset)];
const store = (offset: number) => [0xfd, 0x0b, 4, ...leb(offset)];
const [V_OR, V_XOR, V_ANY] = [
  [0xfd, 0x50],
  [0xfd, 0x51],
  [0xfd, 0x53],
];

/** 16 bytes, from the least significant one of four numbers. */
const words = (...numbers: readonly number[]) =>
  numbers.flatMap((number) => [0, 8, 16, 24].map((shift) => (number >>> shift) & 0xff));
const vector = (...numbers: readonly number[]) => [0xfd, 0x0c, ...words(...numbers)];
const V_MULTIPLY = [0xfd, 0xb5, 0x01];
/** The bytes of a vector, five further, around its end. */
const turned = (local: number) =>
  code(get(local), get(local), [
    0xfd,
    0x0d,
    ...Array.from({ length: 16 }, (_, byte) => (byte + 5) % 16),
  ]);

const add = (local: number, amount: number) => code(get(local), i32(amount), I32_ADD, set(local));

const PARTS = [0, 16, 32, 48];

/** 1 if a block differs from the other one, in 64 bits. */
const differs = (offset: number) =>
  code(
    ...PARTS.map((part) =>
      code(
        get(AT),
        load(offset + part),
        get(OTHER),
        load(offset + part),
        V_XOR,
        part === 0 ? [] : V_OR,
      ),
    ),
    V_ANY,
    I64_EXTEND,
  );

const copyBlock = (to: number, from: number) =>
  code(...PARTS.map((part) => code(get(to), get(from), load(part), store(part))));

/** Runs code for each block in MASK, with its address in OTHER. */
const eachBlock = (run: readonly number[]) =>
  code(
    code(BLOCK, get(MASK), I64_EQZ, brIf(0), LOOP),
    code(get(AT), get(MASK), I64_CTZ, I32_WRAP, i32(6), I32_SHL, I32_ADD, set(OTHER)),
    run,
    add(BLOCKS, BLOCK_BYTES),
    // Without its lowest bit, until there is none.
    code(get(MASK), get(MASK), i64(1), I64_SUB, I64_AND, tee(MASK)),
    code(I64_EQZ, I32_EQZ, brIf(0), FINISH, FINISH),
  );

/** Runs code for each page, unless `isFull` says that there is an end to it. */
const eachPage = (isFull: readonly number[], run: readonly number[]) =>
  code(
    code(BLOCK, LOOP, get(AT), get(END), I32_GE, brIf(1)),
    code(isFull, brIf(1)),
    run,
    code(add(AT, PAGE_BYTES), add(MASKS, MASK_BYTES), add(SUMS, SUM_BYTES), br(0), FINISH, FINISH),
    code(get(BLOCKS), setGlobal(0), get(AT)),
  );

/** Odd, so that a multiplication modulo 2^32 can be undone: primes of xxHash. */
const FACTORS = vector(0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f);
/** Adds 16 bytes to a lane. */
const mixed = (lane: number, value: readonly number[]) =>
  code(turned(lane), value, V_XOR, FACTORS, V_MULTIPLY, set(lane));
const [SUM, ...OTHER_LANES] = LANES as [number, ...number[]];

/**
 * The checksum of a page, in SUM: 128 bits. Each step can be undone, so that a change stays one. Two can cancel each other
 * out only if the second is what the first has become by then. The turn carries the highest bits, which a multiplication
 * does not spread, to the lowest of other words: without it, two changed signs would cancel each other out.
 */
const CHECKSUM = code(
  ...LANES.map((lane) => code(vector(lane, 3 * lane, 5 * lane, 7 * lane), set(lane))),
  code(i32(0), set(DONE), LOOP),
  ...LANES.map((lane, index) => mixed(lane, code(get(AT), load(16 * index)))),
  add(AT, 16 * LANES.length),
  code(get(DONE), i32(1), I32_ADD, tee(DONE), i32(PAGE_BYTES / (16 * LANES.length)), I32_LT),
  code(brIf(0), FINISH),
  code(get(AT), i32(PAGE_BYTES), I32_SUB, set(AT)),
  ...OTHER_LANES.map((lane) => mixed(SUM, get(lane))),
);

const COLLECT = eachPage(
  code(get(BLOCKS), get(LAST), I32_GT),
  code(
    code(i64(0), set(MASK), BLOCK),
    code(get(MASKS), I64_LOAD, I64_EQZ, IF, CHECKSUM),
    code(get(SUM), get(SUMS), load(0), V_XOR, V_ANY, I32_EQZ, brIf(1), FINISH),
    code(get(AT), get(DISTANCE), I32_ADD, set(OTHER)),
    code(i32(0), set(DONE), LOOP),
    // Two blocks at a time: one took longer, and so did four.
    code(differs(0), differs(BLOCK_BYTES), i64(1), I64_SHL, I64_OR),
    code(get(DONE), I64_EXTEND, I64_SHL, get(MASK), I64_OR, set(MASK)),
    code(add(AT, 2 * BLOCK_BYTES), add(OTHER, 2 * BLOCK_BYTES)),
    code(get(DONE), i32(2), I32_ADD, tee(DONE), i32(64), I32_LT, brIf(0), FINISH),
    code(get(AT), i32(PAGE_BYTES), I32_SUB, set(AT)),
    FINISH,
    code(get(MASKS), get(MASK), I64_STORE),
    eachBlock(copyBlock(BLOCKS, OTHER)),
  ),
);

const SUM_UP = eachPage(i32(0), code(CHECKSUM, get(SUMS), get(SUM), store(0)));

const PLACE = eachPage(
  code(
    code(get(BLOCKS), get(MASKS), I64_LOAD, tee(MASK), I64_POPCNT, I32_WRAP),
    code(i32(6), I32_SHL, I32_ADD, get(LAST), I32_GT),
  ),
  eachBlock(copyBlock(OTHER, BLOCKS)),
);

const list = (items: readonly (readonly number[])[]) => code(leb(items.length), ...items);
const sized = (bytes: readonly number[]) => code(leb(bytes.length), bytes);
const section = (id: number, items: readonly (readonly number[])[]) =>
  code([id], sized(list(items)));
const name = (letter: string) => [1, letter.charCodeAt(0)];
const [TYPE_I32, TYPE_I64, TYPE_V128] = [0x7f, 0x7e, 0x7b];
// OTHER and DONE, MASK, the LANES.
const VARIABLES = list([
  [2, TYPE_I32],
  [1, TYPE_I64],
  [LANES.length, TYPE_V128],
]);
const body = (run: readonly number[]) => sized(code(VARIABLES, run, FINISH));

const createModule = (): Uint8Array<ArrayBuffer> => {
  const parameters = list(Array.from({ length: 7 }, () => [TYPE_I32]));
  return Uint8Array.from(
    code(
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      // The type of all functions.
      section(1, [code([0x60], parameters, [1, TYPE_I32])]),
      // A memory of at least one page.
      section(2, [code(name('e'), name('m'), [2, 0, 1])]),
      section(3, [[0], [0], [0]]),
      // Where the blocks end.
      section(6, [code([TYPE_I32, 1], i32(0), FINISH)]),
      section(7, [
        ...['c', 'p', 's'].map((letter, index) => code(name(letter), [0, index])),
        code(name('b'), [3, 0]),
      ]),
      section(10, [body(COLLECT), body(PLACE), body(SUM_UP)]),
    ),
  );
};

/** The functions for a memory; undefined without SIMD. */
export function changedBlocksIn(memory: WebAssembly.Memory): ChangedBlocks | undefined {
  const bytes = createModule();
  if (!WebAssembly.validate(bytes)) return undefined;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { e: { m: memory } });
  const { c, p, s, b } = exports as { c: Scan; p: Scan; s: Scan; b: WebAssembly.Global };
  return { collect: c, place: p, sum: s, blocksEnd: b };
}
