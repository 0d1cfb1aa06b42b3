/** The recordings in a folder. */
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { firstLineOf, RefusedError } from '../../../scripts/cli/errors.js';
import { unreadable } from '../recording-file.js';

const isRecording = (name: string): boolean => name.toLowerCase().endsWith('.btwr');

export interface Found {
  /** Path in the folder, with slashes. */
  readonly file: string;
  /** Why it is not opened: a link could lead anywhere, and a pipe would be read forever. */
  readonly refused?: string;
}

/**
 * All recordings in a folder and its subfolders, sorted by their paths. Nothing is skipped in silence: what cannot be
 * looked into is in the list, as refused.
 *
 * @throws RefusedError if the folder cannot be read.
 */
export async function findRecordings(folder: string): Promise<Found[]> {
  const found: Found[] = [];
  const folders = [''];
  for (let inner = folders.pop(); inner !== undefined; inner = folders.pop()) {
    let entries;
    try {
      entries = await readdir(join(folder, inner), { withFileTypes: true });
    } catch (error) {
      if (inner === '') throw new RefusedError(`${folder} cannot be read: ${firstLineOf(error)}`);
      found.push({ file: inner, refused: unreadable(error).message });
      continue;
    }
    for (const entry of entries) {
      const file = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.isDirectory()) folders.push(file);
      else if (isRecording(file) || (await leadsToFolder(join(folder, file), entry))) {
        found.push(entry.isFile() ? { file } : { file, refused: kindOf(entry) });
      }
    }
  }
  return found.toSorted((one, other) => (one.file < other.file ? -1 : 1));
}

async function leadsToFolder(path: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return false;
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // It leads nowhere.
    return false;
  }
}

const kindOf = (entry: Dirent): string =>
  entry.isSymbolicLink() ? 'is a symbolic link, which is not followed' : 'is not a file';
