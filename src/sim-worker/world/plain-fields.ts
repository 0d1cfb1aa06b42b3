/** Fields as plain data, to be saved. */
import type { Json } from '../../shared/util/json.js';

/** @param fields Numbers, vectors, lists and JSON. */
export const plainOf = (fields: object): Json =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value,
    ]),
  ) as Json;
