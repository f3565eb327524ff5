import type { Charter } from '@charter/application';
import { type FlagSubject, targetingKeyOf } from '@charter/organization-view';
import type { Caller } from '../http/authentication/caller';
import type { FlagStreams } from '../process/parts/flag-streams';
import { flagETag, flagHash } from './flag-etag';
import type { FlagList } from './flags.answers';
import type { EvaluatedFlags } from './flags-query';

/**
 * The answer of a bulk evaluation, and its ETag. An answer about the past has no event stream, and its tag is never the
 * tag of an answer about the present: after a 304 the client would have no address of a stream.
 */
export function flagListAnswer(
  { settings, tickets }: Pick<Charter, 'settings'> & Pick<FlagStreams, 'tickets'>,
  caller: Caller,
  subject: FlagSubject,
  { flags, revision }: EvaluatedFlags,
  isPast: boolean,
): Readonly<{ list: FlagList; tag: string }> {
  const contextId = targetingKeyOf(subject);
  const hash = flagHash(subject, flags);
  const issued = tickets.issue(caller, subject);
  const tag = flagETag(subject, hash, isPast ? { ...issued, ticket: '' } : issued);
  const metadata = { contextId, flagSetId: subject.organization, version: String(revision), revision };
  if (isPast) return { list: { flags: [...flags], metadata }, tag };
  // `flags` in the address names this answer's flags, so the stream detects changes that happened before it began
  const url = `${settings.publicUrl}/ofrep/v1/event-streams?ticket=${issued.ticket}&flags=${hash}`;
  const eventStreams = [{ type: 'sse' as const, url, inactivityDelaySec: INACTIVITY_SECONDS }];
  return { list: { flags: [...flags], metadata, eventStreams }, tag };
}

/** After this number of seconds in the background, a page closes its stream. Later it evaluates again. */
const INACTIVITY_SECONDS = 120;
