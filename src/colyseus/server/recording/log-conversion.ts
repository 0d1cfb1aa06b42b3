/** Makes recordings of logs: when a room is over, and when its process was killed. */
import { open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { RecordingFormatError } from '../../../shared/util/recording-format-error.js';
import { EntryFile } from '../../../shared/recording/entry-file.js';
import {
  CHUNK_HEADER_BYTES,
  MAGIC_BYTES,
  readChunk,
  readChunkHeader,
  requireLogMagic,
  type LogChunk,
  type LogHeader,
} from './run-log.js';

export const LOG_ENDING = '.log';
const RECORDING_ENDING = '.btwr';

/** Logs that this process is writing. */
export const openLogs = new Set<string>();

/** Rooms write to their logs every second. A log that is older belongs to a process that is gone. */
const LEFT_AFTER_MS = 60_000;

/** A log that {@link recoverRecordings} found. */
export interface RecoveredRecording {
  /** Path of the log. */
  readonly log: string;
  /** Path of the recording. Undefined if there is none, because of `error`. */
  readonly file: string | undefined;
  /** Number of the recording's last tick; 0 if there is none. */
  readonly lastTick: number;
  /** Why there is no recording. The log is then where it was. */
  readonly error: Error | undefined;
}

/**
 * Makes recordings of the logs that killed processes have left in a folder. What a process had not written yet is lost,
 * which is up to a second; `isComplete` of these recordings is false. A room does this when it is the first of its
 * process to record into a folder.
 *
 * Logs of processes that run are left alone: those of this machine whose process exists, and those of other machines to
 * which something was written within the last minute.
 *
 * @param folder The `recording.folder` of rooms. If it is missing, there is nothing to recover.
 * @returns What was found, in the order of the names. A log that cannot be read is reported, not thrown.
 * @throws Error if the folder cannot be read.
 */
export async function recoverRecordings(folder: string): Promise<readonly RecoveredRecording[]> {
  const recovered: RecoveredRecording[] = [];
  for (const name of await namesIn(folder)) {
    if (!name.endsWith(RECORDING_ENDING + LOG_ENDING)) continue;
    const log = resolve(join(folder, name));
    try {
      if (!(await isLeft(log))) continue;
      const { file, lastTick } = await convertLog(log);
      recovered.push({ log, file, lastTick, error: undefined });
    } catch (cause) {
      // Another process was faster.
      if (isMissing(cause)) continue;
      const error = cause instanceof Error ? cause : new Error(String(cause));
      recovered.push({ log, file: undefined, lastTick: 0, error });
    }
  }
  return recovered;
}

/**
 * Makes a recording of a log, and removes the log. Reads a chunk at a time.
 *
 * @throws RecordingFormatError if it is not a log. @throws Error if it cannot be read, or the file not written.
 */
export async function convertLog(log: string): Promise<{ file: string; lastTick: number }> {
  const file = log.slice(0, -LOG_ENDING.length);
  const unfinished = `${file}.${process.pid}.tmp`;
  const input = await open(log, 'r');
  try {
    const summary = await summaryOf(input);
    const output = await open(unfinished, 'w');
    try {
      await writeRecording(input, output, summary);
    } finally {
      await output.close();
    }
    await rename(unfinished, file);
    await rm(log, { force: true });
    return { file, lastTick: summary.lastTick };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await input.close();
  }
}

interface LogSummary extends LogHeader {
  readonly lastTick: number;
  readonly count: number;
  readonly byteLength: number;
  readonly isComplete: boolean;
}

async function summaryOf(input: FileHandle): Promise<LogSummary> {
  let header: LogHeader | undefined;
  const sum = { lastTick: 0, count: 0, byteLength: 0, isComplete: false };
  for await (const chunk of chunksOf(input)) {
    if (chunk.kind === 'begin') header = chunk;
    else if (chunk.kind === 'end') sum.isComplete = chunk.isComplete;
    else {
      sum.lastTick = chunk.lastTick;
      sum.count += chunk.count;
      sum.byteLength += chunk.entries.length;
    }
  }
  if (header === undefined) throw new RecordingFormatError('this log of a room has no beginning');
  return { ...header, ...sum };
}

async function writeRecording(
  input: FileHandle,
  output: FileHandle,
  summary: LogSummary,
): Promise<void> {
  const file = new EntryFile(summary);
  let at = EntryFile.restAt;
  const write = async (bytes: Uint8Array): Promise<void> => {
    await output.write(bytes, 0, bytes.length, at);
    at += bytes.length;
  };
  await write(file.begin());
  for await (const chunk of chunksOf(input)) {
    if (chunk.kind === 'entries') await write(file.add(chunk.entries));
  }
  await write(file.end());
  const first = file.first();
  await output.write(first, 0, first.length, 0);
}

/** The whole chunks, from the beginning; what follows them was never finished. */
async function* chunksOf(input: FileHandle): AsyncGenerator<LogChunk> {
  const { size } = await input.stat();
  requireLogMagic(await bytesAt(input, 0, MAGIC_BYTES));
  let at = MAGIC_BYTES;
  while (at + CHUNK_HEADER_BYTES <= size) {
    const { length, hash } = readChunkHeader(await bytesAt(input, at, CHUNK_HEADER_BYTES));
    at += CHUNK_HEADER_BYTES;
    if (at + length > size) return;
    const chunk = readChunk(await bytesAt(input, at, length), hash);
    if (chunk === undefined) return;
    yield chunk;
    if (chunk.kind === 'end') return;
    at += length;
  }
}

async function bytesAt(input: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await input.read(new Uint8Array(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** Whether no process writes to a log. */
async function isLeft(log: string): Promise<boolean> {
  if (openLogs.has(log)) return false;
  const { mtimeMs } = await stat(log);
  if (Date.now() - mtimeMs > LEFT_AFTER_MS) return true;
  const input = await open(log, 'r');
  try {
    const { value } = await chunksOf(input).next();
    if (value?.kind !== 'begin') return true;
    return value.host === hostname() && !isRunning(value.pid);
  } finally {
    await input.close();
  }
}

/** @param pid Of a process of this machine. */
function isRunning(pid: number): boolean {
  // It has no such log, so an earlier process had its number.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists and belongs to someone else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
