/** Which types are numbers, whose comment must give a unit or meaning. */
import { ts, type TypeScript } from './api-compiler.js';

/**
 * A number, also in a promise or an array, and also if it may be undefined, null or one of several
 * words. Excluded are ids, which are branded numbers; literals such as 1 or 2, which describe
 * themselves; and named types.
 */
export function isNumeric(type: TypeScript.Type, checker: TypeScript.TypeChecker): boolean {
  const given = checker.getAwaitedType(type) ?? type;
  const parts = (given.isUnion() ? given.types : [given]).filter((part) => !isWord(part));
  return parts.length > 0 && parts.every((part) => isNumbers(part, checker));
}

function isWord({ flags }: TypeScript.Type): boolean {
  const { Undefined, Null, Literal } = ts.TypeFlags;
  return (flags & (Undefined | Null | Literal)) !== 0;
}

function isNumbers(type: TypeScript.Type, checker: TypeScript.TypeChecker): boolean {
  if ((type.flags & ts.TypeFlags.Number) !== 0) return true;
  if (type.aliasSymbol !== undefined) return false;
  if (!checker.isArrayType(type) && !checker.isTupleType(type)) return false;
  const elements = checker.getTypeArguments(type as TypeScript.TypeReference);
  return elements.length > 0 && elements.every((element) => isNumeric(element, checker));
}
