import type { EntitlementNotices } from '../../flags/changes/entitlement-notices';
import type { FlagNotices } from '../../flags/streams/flag-notices';
import type { FlagTickets } from '../../flags/streams/flag-tickets';
import type { OpenStreams } from '../../flags/streams/open-streams';
import type { Gate } from '../../http/admission/gate';

/** The streams that report changes of entitlements and flags. They take no places of the auditors' change feeds. */
export type FlagStreams = Readonly<{
  streams: OpenStreams;
  entitlementNotices: EntitlementNotices;
  flagNotices: FlagNotices;
  tickets: FlagTickets;
  /** The gate for open streams of entitlements and flags. */
  listenerGate: Gate;
}>;
export const FLAG_STREAMS: unique symbol = Symbol('FlagStreams');
