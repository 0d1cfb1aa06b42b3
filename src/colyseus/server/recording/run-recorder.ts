/** Records the run of a room: into a log, which is a recording when the room is over. */
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { JournalItem } from '../../../shared/protocol/control-protocol.js';
import type { RunDescription } from '../../../shared/recording/recording.js';
import { convertLog, LOG_ENDING, openLogs } from './log-conversion.js';
import { encodeLogEnd, encodeLogStart, RunLogEncoder } from './run-log.js';

/** What waits for a slow disk may take this much memory, in bytes. */
const MAX_PENDING_BYTES = 2 ** 24;
/** Room for the last chunks in a file that is full. */
const RESERVED_BYTES = 64;

export interface RecorderOptions {
  readonly folder: string;
  readonly maxBytes: number;
  /** Name of the file, without its ending. */
  readonly name: string;
  readonly run: RunDescription;
  readonly commands: readonly string[];
  /** The recording has ended early: it is full, or the disk has failed. */
  readonly onEnded: (why: Error) => void;
}

export class RunRecorder {
  /** Path of the recording, once it is finished. */
  readonly file: string;
  /** Bytes of the log. */
  bytes: number;
  /** Whether everything was recorded so far. */
  isComplete = true;
  readonly #options: RecorderOptions;
  readonly #log: string;
  readonly #handle: FileHandle;
  readonly #encoder: RunLogEncoder;
  /** The chunk that is being written. */
  #writing: Promise<void> | undefined;
  #flushedTick = 0;

  /** @throws Error if the log cannot be made. */
  static async begin(options: RecorderOptions): Promise<RunRecorder> {
    const { folder, name, run, commands } = options;
    await mkdir(folder, { recursive: true });
    const log = resolve(join(folder, `${name}.btwr${LOG_ENDING}`));
    // Before it exists: it must not be taken for one that was left.
    openLogs.add(log);
    try {
      const handle = await open(log, 'wx');
      const start = encodeLogStart({ host: hostname(), pid: process.pid, run, commands });
      await handle.appendFile(start);
      return new RunRecorder(options, log, handle, start.length);
    } catch (error) {
      openLogs.delete(log);
      throw error;
    }
  }

  private constructor(options: RecorderOptions, log: string, handle: FileHandle, bytes: number) {
    this.#options = options;
    this.#log = log;
    this.file = log.slice(0, -LOG_ENDING.length);
    this.#handle = handle;
    this.#encoder = new RunLogEncoder(options.commands);
    this.bytes = bytes;
  }

  /** The last tick that a killed process would leave a recording of, at least. */
  get flushedTick(): number {
    return this.#flushedTick;
  }

  /** Notes what determines the run. */
  add(items: readonly JournalItem[]): void {
    if (!this.isComplete) return;
    this.#encoder.add(items);
    if (this.#encoder.pendingBytes > MAX_PENDING_BYTES) {
      this.#end(new Error(`the disk takes less than is recorded: ${MAX_PENDING_BYTES} bytes wait`));
    }
  }

  /**
   * Begins to write what was noted, and does not wait for it. If the last chunk is still being written, the next call
   * writes.
   *
   * @param lastTick The last tick that has run.
   */
  flush(lastTick: number): void {
    if (!this.isComplete || this.#writing !== undefined) return;
    const { maxBytes } = this.#options;
    if (this.bytes + this.#encoder.pendingBytes + 2 * RESERVED_BYTES > maxBytes) {
      this.#end(new Error(`the recording is full: it may have ${maxBytes} bytes`));
      return;
    }
    this.#write(this.#encoder.takeChunk(lastTick), lastTick);
  }

  /**
   * Finishes the recording.
   *
   * @param lastTick The last tick that has run.
   * @throws Error if it cannot be written. The log is then where it was.
   */
  async close(lastTick: number): Promise<void> {
    try {
      await this.#writing;
      this.flush(lastTick);
      await this.#writing;
      if (this.isComplete) this.#write(encodeLogEnd(true), lastTick);
      await this.#writing;
      await this.#handle.close();
      await convertLog(this.#log);
    } finally {
      openLogs.delete(this.#log);
    }
  }

  /** The run continues, the recording does not. */
  #end(why: Error): void {
    this.isComplete = false;
    this.#options.onEnded(why);
    const write = (): void => this.#write(encodeLogEnd(false), this.#flushedTick);
    if (this.#writing === undefined) write();
    else void this.#writing.then(write);
  }

  #write(chunk: Uint8Array, lastTick: number): void {
    const writing = this.#handle
      .appendFile(chunk)
      .then(() => {
        this.bytes += chunk.length;
        this.#flushedTick = lastTick;
      })
      .catch((cause: unknown) => {
        if (!this.isComplete) return;
        this.isComplete = false;
        this.#options.onEnded(new Error('the recording cannot be written', { cause }));
      })
      .finally(() => {
        if (this.#writing === writing) this.#writing = undefined;
      });
    this.#writing = writing;
  }
}
