/** Puts a message together that comes in parts, because the queue of inputs has no room for all of it at once. */
export class CollectedMessage {
  #bytes = new Uint8Array(0);
  #filled = 0;

  /**
   * @param size Of the whole message, in bytes. @param at Where the part begins: a message at 0.
   * @returns The message, if this is its last part. A message that lacks a part is none.
   */
  add(size: number, at: number, part: Uint8Array): Uint8Array | undefined {
    if (at === 0) {
      this.#filled = 0;
      if (part.length === size) return part;
      this.#bytes = new Uint8Array(size);
    }
    if (at !== this.#filled || size !== this.#bytes.length) return undefined;
    this.#bytes.set(part, at);
    this.#filled += part.length;
    if (this.#filled < size) return undefined;
    const bytes = this.#bytes;
    this.#bytes = new Uint8Array(0);
    this.#filled = 0;
    return bytes;
  }
}
