import type { Immutable, Moment, Refusal } from '@charter/decider';
import type { DecisionContext } from '../decision';
import { affectedByEnd, momentAfterAll, refusalOfFuture, saleInForce } from './effective-dates';
import { isRepeatedEntry, type SaleEntry } from './entries';

/** The moment of a new end, and the content of the sale that it ends; no content if a late message ends no sale. */
type NewEnd<What> = Readonly<{ effectiveAt: Moment; ended: Immutable<What> | undefined }>;

/** Decides on the end of a sale. Returns `undefined` if the command is a repetition, and so changes nothing. */
export function newEnd<What>(
  entries: readonly Immutable<SaleEntry<What>>[],
  command: Readonly<{ effectiveAt?: Moment | undefined; subscription?: string | undefined }>,
  { at, message, mergesEqualMessages }: DecisionContext,
): NewEnd<What> | Refusal<'not-yet-effective'> | undefined {
  const { subscription } = command;
  const held = saleInForce<What>(affectedByEnd(subscription, entries));
  if (!held && !command.effectiveAt) return undefined;

  const effectiveAt = command.effectiveAt ?? momentAfterAll(entries, at, true);
  const refusal = refusalOfFuture(command.effectiveAt, at);
  if (refusal) return refusal;
  const entry = { effectiveAt, subscription: subscription ?? null, message, what: null };
  if (isRepeatedEntry(entries, entry, mergesEqualMessages)) return undefined;
  return { effectiveAt, ended: held && held.effectiveAt <= effectiveAt ? held.what : undefined };
}
