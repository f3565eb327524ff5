import { fitsIn64Bits } from '../serialized-event';
import { LogError } from '../errors';
import type { Position } from '../port';

/** Checks a revision to read from. @throws LogError `invalid` for a revision outside of 0 to 2^64 - 1 */
export function checkedRevision(from: bigint): bigint {
  if (!fitsIn64Bits(from)) throw new LogError('invalid', `${from} is not a revision.`);
  return from;
}

/** Turns a position into a number. @throws LogError `invalid` unless it has twenty digits and is at most 2^64 - 1 */
export function positionNumber(position: Position): bigint {
  const number = /^\d{20}$/.test(position) ? BigInt(position) : -1n;
  if (!fitsIn64Bits(number)) throw new LogError('invalid', `'${position}' is not a position: it has twenty digits.`);
  return number;
}

/** Checks the maximum number of events to read. @throws LogError `invalid` for a fraction or a negative number */
export function checkedCount(maxCount = Infinity): number {
  if (maxCount !== Infinity && !(Number.isSafeInteger(maxCount) && maxCount >= 0)) {
    throw new LogError('invalid', `${maxCount} is not a number of events.`);
  }
  return maxCount;
}

/**
 * Whether the event is a system event, which the store itself wrote for its own purposes. No read delivers system
 * events.
 */
export const isSystemEvent = ({ stream, type }: { stream: string; type: string }) =>
  stream.startsWith('$') || type.startsWith('$');

/** Whether a stream's name begins with one of the prefixes. Without prefixes, every stream matches. */
export const matchesPrefixes = (stream: string, prefixes: readonly string[] = []) =>
  prefixes.length === 0 || prefixes.some((prefix) => stream.startsWith(prefix));
