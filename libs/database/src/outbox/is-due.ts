import { momentAt } from '@charter/decider';
import type { ExpressionBuilder } from 'kysely';
import type { Schema } from '../schema/schema';

/**
 * The condition for stored work whose next attempt is due. The first attempt is due at once: the clock may have been
 * set back after the work was stored, and `next` would then delay the first attempt.
 */
export const isDue =
  (now: number) => (builder: ExpressionBuilder<Pick<Schema, 'mails' | 'deferred_work'>, 'mails' | 'deferred_work'>) =>
    builder.or([builder('attempts', '=', 0), builder('next', '<=', momentAt(now))]);
