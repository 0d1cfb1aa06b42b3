/**
 * Copies of an engine's memory by what differs from an earlier copy, the base. Of the 13 MiB of a heap of a thousand, 2 MiB
 * change in a second, and the same ones: so a copy is a small part of the memory, and depends on no other copy.
 *
 *     base       ├───────────────────────┤
 *     copies       ▪▪ ▪   ▪▪ ▪▪  ▪▪ ▪▪▪       each: blocks that differ
 *                                   └ the next copy is a new base, when the rest has cost as much as one
 *
 * WebAssembly compares parts of one memory, so the base is in the engine's own, in pages that the engine did not ask for.
 * Whatever it asks for later comes after them:
 *
 *     memory     │ engine │ ours: work, base │ engine │ ours: base │ engine …
 *     position   0 ─────▶ n                  n ─────▶ m            m ─▶
 */
import {
  MASK_BYTES,
  PAGE_BYTES,
  SUM_BYTES,
  changedBlocksIn,
  type ChangedBlocks,
} from './changed-blocks.js';

const WASM_PAGE = 2 ** 16;
/** Blocks on their way: they stay in the processor's cache. */
const WORK_BYTES = 2 ** 18;
/** In one call. */
const MAX_PAGES = 2 ** 13;
const CALL_BYTES = MAX_PAGES * PAGE_BYTES;
const MASKS_BYTES = MAX_PAGES * MASK_BYTES;
const SUMS_BYTES = MAX_PAGES * SUM_BYTES;
/** A new base takes as long as copying blocks of this many times its size: it is copied, summed up, and the old one copied, too. */
const BASE_COST = 4;
/** Room for what the engine grows by. */
const ROOM = 1.25;

/** An earlier copy of the memory, which others refer to. */
export interface Base {
  /** Its memory, in bytes. */
  bytes: number;
  /** What it has, once another base has taken its place in the engine's memory. */
  full: Uint8Array | undefined;
}

/** What differs from a base. */
export interface BlockCopy {
  readonly base: Base;
  /** Length of the engine's part of the memory. */
  readonly length: number;
  /** Which blocks of it differ: a bit each. */
  readonly masks: Uint8Array;
  /** The blocks. Some room may be left. */
  readonly blocks: Uint8Array;
}

/** A part of the engine's memory and of the base that is in one piece in both. */
interface Piece {
  /** In the memory without our pages. */
  readonly position: number;
  readonly at: number;
  readonly end: number;
  /** From the engine's bytes to those of the base. */
  readonly distance: number;
}

export class MemoryBase {
  readonly #memory: WebAssembly.Memory;
  readonly #scan: ChangedBlocks;
  /** Address of the masks, followed by checksums and blocks. */
  readonly #masksAt: number;
  readonly #sumsAt: number;
  readonly #workAt: number;
  /** The part below is not copied. */
  readonly #from: number;
  /** Our pages, ascending. `baseAt` is where their part of the base begins. */
  readonly #areas: { readonly at: number; readonly baseAt: number; readonly end: number }[] = [];
  #pieces: readonly Piece[] = [];
  /** Of the memory for which the pieces are. */
  #piecesLength = 0;
  #base: Base | undefined;
  /** The checksums of its pages. */
  #sums = new Uint8Array(0);
  /** The masks of the last copy. */
  #guess: Uint8Array = new Uint8Array(0);
  /** Least blocks since the base was made, in bytes, and what all copies had above that. */
  #least = Infinity;
  #excess = 0;

  /** @param from What is below is not copied. */
  constructor(memory: WebAssembly.Memory, scan: ChangedBlocks, from: number) {
    this.#memory = memory;
    this.#scan = scan;
    this.#from = from - (from % PAGE_BYTES);
    const length = this.length - this.#from;
    this.#masksAt = this.#take(MASKS_BYTES + SUMS_BYTES + WORK_BYTES, length * ROOM);
    this.#sumsAt = this.#masksAt + MASKS_BYTES;
    this.#workAt = this.#sumsAt + SUMS_BYTES;
  }

  /** Undefined where SIMD is missing, or if the memory cannot grow. */
  static of(memory: WebAssembly.Memory, from: number): MemoryBase | undefined {
    const scan = changedBlocksIn(memory);
    try {
      return scan && new MemoryBase(memory, scan, from);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** Length of the engine's part of the memory, in bytes. */
  get length(): number {
    const ours = this.#areas.reduce((sum, { at, end }) => sum + end - at, 0);
    return this.#memory.buffer.byteLength - ours;
  }

  /**
   * @param used A copy that is no longer needed.
   * @throws RangeError if the memory cannot grow.
   */
  copy(used?: BlockCopy): BlockCopy {
    const { length } = this;
    this.#makeRoom(length);
    if (this.#base === undefined || this.#excess > BASE_COST * this.#base.bytes) this.#begin();
    const base = this.#base as Base;
    const pages = this.#pageAt(length);
    if (this.#sums.length !== pages * SUM_BYTES) this.#sumUp(length);
    const masks =
      used?.masks.length === pages * MASK_BYTES ? used.masks : new Uint8Array(pages * MASK_BYTES);
    // What has changed before has mostly changed again. It may be the same memory as the masks, behind what is written.
    const guess = this.#guess.length === masks.length ? this.#guess : masks;
    let blocks = used?.blocks ?? new Uint8Array(0);
    let filled = 0;
    const memory = new Uint8Array(this.#memory.buffer);
    const { collect, blocksEnd } = this.#scan;
    const last = this.#workAt + WORK_BYTES - PAGE_BYTES;
    for (const { position, at, end, distance } of this.#piecesOf(length)) {
      for (let page = at; page < end;) {
        const until = Math.min(end, page + CALL_BYTES);
        const [from, to] = [
          this.#pageAt(position + page - at),
          this.#pageAt(position + until - at),
        ];
        memory.set(guess.subarray(from * MASK_BYTES, to * MASK_BYTES), this.#masksAt);
        memory.set(this.#sums.subarray(from * SUM_BYTES, to * SUM_BYTES), this.#sumsAt);
        const next = collect(
          page,
          until,
          distance,
          this.#workAt,
          last,
          this.#masksAt,
          this.#sumsAt,
        );
        const maskEnd = this.#masksAt + ((next - page) / PAGE_BYTES) * MASK_BYTES;
        masks.set(memory.subarray(this.#masksAt, maskEnd), from * MASK_BYTES);
        const found = memory.subarray(this.#workAt, blocksEnd.value as number);
        if (filled + found.length > blocks.length) {
          const larger = new Uint8Array(this.#roomFor(filled + found.length));
          larger.set(blocks.subarray(0, filled));
          blocks = larger;
        }
        blocks.set(found, filled);
        filled += found.length;
        page = next;
      }
    }
    this.#guess = masks;
    this.#least = Math.min(this.#least, filled);
    this.#excess += filled - this.#least;
    return { base, length, masks, blocks };
  }

  /** The engine's memory is as it was then; what it has grown by since stays. */
  putBack({ base, length, masks, blocks }: BlockCopy): void {
    const memory = new Uint8Array(this.#memory.buffer);
    const { place, blocksEnd } = this.#scan;
    let taken = 0;
    for (const { position, at, end, distance } of this.#piecesOf(length)) {
      if (base.full === undefined) memory.copyWithin(at, at + distance, end + distance);
      else {
        const from = position - this.#from;
        memory.set(base.full.subarray(from, from + end - at), at);
      }
      for (let page = at; page < end;) {
        const until = Math.min(end, page + CALL_BYTES);
        const maskAt = this.#pageAt(position + page - at) * MASK_BYTES;
        const maskEnd = this.#pageAt(position + until - at) * MASK_BYTES;
        memory.set(masks.subarray(maskAt, maskEnd), this.#masksAt);
        const some = blocks.subarray(taken, taken + WORK_BYTES);
        memory.set(some, this.#workAt);
        const someEnd = this.#workAt + some.length;
        page = place(page, until, 0, this.#workAt, someEnd, this.#masksAt, this.#sumsAt);
        taken += (blocksEnd.value as number) - this.#workAt;
      }
    }
  }

  /** The number of a page, of those that are copied. */
  #pageAt(position: number): number {
    return (position - this.#from) / PAGE_BYTES;
  }

  /** Sums up the base, with the zeros that it has of what the engine has grown by. */
  #sumUp(length: number): void {
    const sums = new Uint8Array(this.#pageAt(length) * SUM_BYTES);
    const memory = new Uint8Array(this.#memory.buffer);
    for (const { position, at, end, distance } of this.#piecesOf(length)) {
      for (let page = at; page < end; page += CALL_BYTES) {
        const until = Math.min(end, page + CALL_BYTES);
        this.#scan.sum(page + distance, until + distance, 0, 0, 0, 0, this.#sumsAt);
        const bytes = ((until - page) / PAGE_BYTES) * SUM_BYTES;
        const sumAt = this.#pageAt(position + page - at) * SUM_BYTES;
        sums.set(memory.subarray(this.#sumsAt, this.#sumsAt + bytes), sumAt);
      }
    }
    this.#sums = sums;
  }

  /** The number of blocks varies, and a copy's memory is used again: for the most recent number, and some more. */
  #roomFor(bytes: number): number {
    const usual = Number.isFinite(this.#least) ? this.#least * ROOM : 0;
    const room = Math.max(bytes, usual) / WASM_PAGE;
    return Math.ceil(room) * WASM_PAGE;
  }

  /** The memory as it is now is the base. */
  #begin(): void {
    const { length } = this;
    const memory = new Uint8Array(this.#memory.buffer);
    const pieces = this.#piecesOf(length);
    if (this.#base !== undefined) {
      // Of what the engine has grown by since then, the base has zeros.
      const full = new Uint8Array(length - this.#from);
      for (const { position, at, end, distance } of pieces) {
        full.set(memory.subarray(at + distance, end + distance), position - this.#from);
      }
      this.#base.full = full;
      this.#base.bytes = full.length;
    }
    for (const { at, end, distance } of pieces) memory.copyWithin(at + distance, at, end);
    this.#base = { bytes: length - this.#from, full: undefined };
    this.#sumUp(length);
    this.#least = Infinity;
    this.#excess = 0;
  }

  /** The base has room for the whole of the engine's part. */
  #makeRoom(length: number): void {
    const room = this.#areas.reduce((sum, { baseAt, end }) => sum + end - baseAt, 0);
    const lacking = length - this.#from - room;
    if (lacking > 0) this.#take(0, lacking + (ROOM - 1) * length);
  }

  /** @returns The address of new pages. */
  #take(workBytes: number, baseBytes: number): number {
    const pages = Math.ceil((workBytes + baseBytes) / WASM_PAGE);
    const at = this.#memory.grow(pages) * WASM_PAGE;
    this.#areas.push({ at, baseAt: at + workBytes, end: at + pages * WASM_PAGE });
    return at;
  }

  #piecesOf(length: number): readonly Piece[] {
    if (this.#piecesLength !== length) {
      this.#pieces = this.#cut(length);
      this.#piecesLength = length;
    }
    return this.#pieces;
  }

  #cut(length: number): Piece[] {
    const pieces: Piece[] = [];
    /** How much of the base is in areas before the current one, and where that one is. */
    let [area, before] = [0, this.#from];
    let ours = 0;
    let next = 0;
    for (let position = this.#from; position < length;) {
      // Our pages up to here are between.
      while (next < this.#areas.length && (this.#areas[next]?.at ?? 0) <= position + ours) {
        ours += (this.#areas[next]?.end ?? 0) - (this.#areas[next]?.at ?? 0);
        next += 1;
      }
      const { baseAt, end: areaEnd } = this.#areas[area] as { baseAt: number; end: number };
      const [at, baseEnd] = [position + ours, before + areaEnd - baseAt];
      const engineEnd = (this.#areas[next]?.at ?? Infinity) - ours;
      const until = Math.min(length, engineEnd, baseEnd);
      if (until > position) {
        const distance = baseAt + position - before - at;
        pieces.push({ position, at, end: at + until - position, distance });
      }
      position = until;
      if (until === baseEnd) {
        before = baseEnd;
        area += 1;
      }
    }
    return pieces;
  }
}
