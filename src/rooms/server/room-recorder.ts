/**
 * Records the run of a room: appends to a recording every second, which is of use whenever its process is killed. The process
 * of many rooms neither holds hours of entries in memory nor encodes them at once.
 */
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { JournalItem } from '../../shared/protocol/control-protocol.js';
import { ChunkWriter } from '../../shared/recording/recording-entries.js';
import { headerOf } from '../../shared/recording/envelope.js';
import { beginRecording, entriesPart } from '../../shared/recording/recording-file.js';
import type { RunDescription } from '../../shared/recording/recording.js';

/** Most bytes that may wait for a slow disk. */
const MAX_PENDING_BYTES = 2 ** 24;

export interface RoomRecorderOptions {
  readonly folder: string;
  readonly maxBytes: number;
  /** Name of the file, without its ending. */
  readonly name: string;
  readonly run: RunDescription;
  /** The recording has ended early: it is full, or the disk has failed. */
  readonly onEnded: (why: Error) => void;
}

export class RoomRecorder {
  /** Path of the recording. */
  readonly file: string;
  /** Bytes of it. */
  bytes = 0;
  /** Whether everything was recorded so far. */
  isComplete = true;
  readonly #options: RoomRecorderOptions;
  readonly #handle: FileHandle;
  readonly #entries = new ChunkWriter();
  /** The part that is being written. */
  #writing: Promise<void> | undefined;
  #flushedTick = 0;

  /** @throws Error if the file cannot be made. */
  static async begin(options: RoomRecorderOptions): Promise<RoomRecorder> {
    const { folder, name, run } = options;
    await mkdir(folder, { recursive: true });
    const file = resolve(join(folder, `${name}.btwr`));
    const handle = await open(file, 'wx');
    const start = beginRecording(run);
    await handle.appendFile(start);
    const recorder = new RoomRecorder(options, file, handle);
    recorder.bytes = start.length;
    return recorder;
  }

  private constructor(options: RoomRecorderOptions, file: string, handle: FileHandle) {
    this.#options = options;
    this.file = file;
    this.#handle = handle;
  }

  /** The last tick that a killed process would leave a recording of, at least. */
  get flushedTick(): number {
    return this.#flushedTick;
  }

  /** Notes what determines the run. */
  add(items: readonly JournalItem[]): void {
    if (!this.isComplete) return;
    for (const item of items) {
      if (item.kind !== 'restart' && item.kind !== 'state' && item.kind !== 'kept') {
        this.#entries.add(item);
      }
    }
    if (this.#entries.length > MAX_PENDING_BYTES) {
      this.#end(new Error(`the disk takes less than is recorded: ${MAX_PENDING_BYTES} bytes wait`));
    }
  }

  /**
   * Begins to write what was noted, and does not wait for it. If the last part is still being written, the next call
   * writes.
   *
   * @param lastTick The last tick that has run.
   */
  flush(lastTick: number): void {
    if (!this.isComplete || this.#writing !== undefined) return;
    const part = entriesPart(this.#entries, lastTick);
    const { maxBytes } = this.#options;
    if (this.bytes + part.length > maxBytes) {
      this.#end(new Error(`the recording is full: it may have ${maxBytes} bytes`));
      return;
    }
    const writing = this.#handle
      .appendFile(part)
      .then(() => {
        this.bytes += part.length;
        this.#flushedTick = lastTick;
      })
      .catch((cause: unknown) => this.#end(new Error('the recording cannot be written', { cause })))
      .finally(() => {
        this.#writing = undefined;
      });
    this.#writing = writing;
  }

  /**
   * Finishes the recording.
   *
   * @param lastTick The last tick that has run.
   * @throws Error if it cannot be written. The file is then a recording that is not complete.
   */
  async close(lastTick: number): Promise<void> {
    try {
      await this.#writing;
      this.flush(lastTick);
      await this.#writing;
      if (this.isComplete) {
        const header = headerOf('recording', this.bytes);
        await this.#handle.write(header, 0, header.length, 0);
      }
    } finally {
      await this.#handle.close();
    }
  }

  /** The run continues, the recording does not. */
  #end(why: Error): void {
    if (!this.isComplete) return;
    this.isComplete = false;
    this.#options.onEnded(why);
  }
}
