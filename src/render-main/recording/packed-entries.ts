/**
 * Entries of a recording as bytes, as in a file: as objects they take ten times the memory.
 *
 *     chunk    names: count, then each in UTF-8 with its length; entries, each command and batch followed by the number of its call
 *              as a varint
 */
import { ByteReader } from '../../shared/util/byte-reader.js';
import { ByteWriter } from '../../shared/util/byte-writer.js';
import { EntryReader, EntryWriter } from '../../shared/recording/recording-entries.js';
import { requireEntry } from '../../shared/recording/recording-checks.js';
import { hasCall, type RecordingEntry } from '../../shared/recording/recording.js';

/** @throws TypeError or RangeError if a value does not match its type. */
export function pack(entries: readonly RecordingEntry[]): Uint8Array {
  const names = new Set(entries.flatMap((entry) => (entry.kind === 'command' ? entry.name : [])));
  const out = new ByteWriter();
  out.varint(names.size);
  for (const name of names) out.text(name);
  const writer = new EntryWriter(out, new Map([...names].map((name, index) => [name, index])));
  let tick = 0;
  for (const entry of entries) {
    writer.write(requireEntry(entry, tick));
    ({ tick } = entry);
    if (hasCall(entry)) out.varint(entry.call ?? 0);
  }
  return out.toBytes();
}

export function unpack(bytes: Uint8Array): RecordingEntry[] {
  const reader = new ByteReader(bytes);
  const names = Array.from({ length: reader.varint() }, () => reader.text());
  const entryReader = new EntryReader(reader, names);
  const entries: RecordingEntry[] = [];
  while (reader.left > 0) {
    const entry = entryReader.read();
    entries.push(hasCall(entry) ? { ...entry, call: reader.varint() } : entry);
  }
  return entries;
}
