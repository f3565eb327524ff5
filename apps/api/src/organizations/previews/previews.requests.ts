import type { Envelope } from '@charter/event-log';
import { type CommandInput, type OrganizationCommand, withNewId } from '@charter/organization';
import { z } from 'zod';
import { deterministicId } from '../../http/request-context';
import { AsOf, Commands, Valid } from '../organization.requests';
import { Shown } from './previews.answers';

/**
 * The query of a preview: whether the preview continues after a refused command, and the point in time at which the
 * preview starts.
 */
export type PreviewQuery = z.infer<typeof PreviewQuery>;
export const PreviewQuery = z.strictObject({
  lenient: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
  asOf: AsOf.optional(),
  valid: Valid.optional(),
});

/** Commands to execute. `shown` is the digest of the events that a preview has shown to the caller. */
export const CommandsAsShown = Commands.extend({ shown: Shown.optional() });

/**
 * Adds an id to each command that creates a list entry, such as a site. Requests with the same `Idempotency-Key` give
 * the same ids.
 */
export const withIds = (inputs: readonly CommandInput[], { command }: Envelope): readonly OrganizationCommand[] =>
  inputs.map((one, index) => withNewId(one, deterministicId('made', command, String(index))));
