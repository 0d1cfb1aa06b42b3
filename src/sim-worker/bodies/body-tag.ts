/** The tags of bodies: what an application notes about a body for the page, as small plain data. */
import { requireJson, type Json } from '../../shared/util/json.js';
import * as LIMITS from '../../shared/util/limits.js';

export interface BodyTag {
  readonly json: string;
  /** Frozen: everyone gets the same object. */
  readonly value: Json;
}

export const NO_TAG: BodyTag = { json: 'null', value: null };

/** Most characters of a tag in an error. */
const QUOTED_LENGTH = 60;

/**
 * @param value The tag as an application gives it.
 * @throws TypeError if JSON cannot hold the value.
 * @throws RangeError if its JSON is too long.
 */
export function tagOf(value: unknown): BodyTag {
  if (value === undefined || value === null) return NO_TAG;
  const json = JSON.stringify(requireJson('the tag of a body', value));
  if (json.length > LIMITS.tagLength) {
    throw new RangeError(
      `the tag of a body must be at most ${LIMITS.tagLength} characters of JSON, but ${quoted(json)} is ` +
        `${json.length}: use a name of the data`,
    );
  }
  return { json, value: JSON.parse(json, (_, part: Json) => Object.freeze(part)) as Json };
}

/** Names a body in an error: an id tells its reader nothing. */
export const bodyNamed = ({ json }: BodyTag, tick: number): string =>
  `${json === NO_TAG.json ? 'without a tag' : `with the tag ${quoted(json)}`}, in tick ${tick},`;

/** As an application knows it: by its tag, or by its id if it has none. */
export const bodyCalled = (id: number, { json }: BodyTag = NO_TAG): string =>
  json === NO_TAG.json ? `body ${id}` : `the body with the tag ${quoted(json)}`;

const quoted = (json: string): string =>
  json.length > QUOTED_LENGTH ? `${json.slice(0, QUOTED_LENGTH)}…` : json;
