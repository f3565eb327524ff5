import { isUntrusted, project } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import { type Charter, createHistoryReaders, organizationCommands, type ReplayedChanges } from '@charter/application';
import type { Logger } from 'pino';
import { createBackgroundWork } from './work/background-work';
import { startDeferredWork } from './work/deferred-work';
import { auditHandler } from '../account/audit-facts';
import { confirmationHandler } from '../account/change-email';
import { resetLinkHandler } from '../sign-in/password/forgot';
import { createBilling } from '../billing/billing';
import { alarmsTo } from './observability/alarms';
import { createChangeReader } from '../flags/changes/change-reader';
import { createEntitlementNotices } from '../flags/changes/entitlement-notices';
import { createFlagNotices } from '../flags/streams/flag-notices';
import { createFlagTickets, withTickets } from '../flags/streams/flag-tickets';
import { createOpenStreams } from '../flags/streams/open-streams';
import { createReadAudit } from '../history/read-audit';
import { startMailSender } from '../mail/mail-sender';
import { createMetrics } from './observability/metrics';
import { builtPages } from '../pages/built-pages';
import { watchFirstAccount } from '../pages/first-account';
import { effectsOf } from '../organizations/after-effects';
import { createOrganizationReader } from '../organizations/organization-reader';
import type { Reporting } from './observability/reporting';
import { clientAddressOf } from '../http/input/client-address';
import { apiKeyAuthenticator } from '../http/authentication/caller';
import {
  FEED_LIMITS,
  createGate,
  COSTLY_READ_LIMITS,
  LISTENER_LIMITS,
  REVISION_WAIT_LIMITS,
} from '../http/admission/gate';
import { createKeyUseRecorder } from '../http/authentication/key-use';
import {
  keyOrSessionAuthenticator,
  sessionAuthenticator,
  signedInPersonBy,
} from '../http/authentication/session-authentication';
import { createBrowserSessions } from '../sign-in/sessions';
import type { Leases } from './leases';
import { AUTHENTICATION } from './parts/authentication';
import { BACKGROUND } from './parts/background';
import { CLOCK, type Clock, type Stopwatch } from './parts/clock';
import { FLAG_STREAMS } from './parts/flag-streams';
import { GATES } from './parts/gates';
import { LIFECYCLE } from './parts/lifecycle';
import { OBSERVABILITY } from './parts/observability';
import { ORGANIZATION_ACCESS } from './parts/organization-access';
import { type PageSettings, PAGE_SETTINGS } from './parts/page-settings';
import { STORES } from './parts/stores';
import { runtimeOf } from './runtime';

type Around = Readonly<{
  reporting: Reporting;
  logger: Logger;
  /** The number of log lines that were dropped. */
  logDropped: () => number;
  clock: Clock & Stopwatch;
  demo: boolean;
  googleStandIn: PageSettings['googleStandIn'];
  leases: Leases;
  followed: ReplayedChanges;
}>;

/**
 * Creates all parts of the process. The created parts project and send mails if the process's role and leases allow
 * this work.
 */
export function createRuntime(
  charter: Charter,
  { reporting, logger, logDropped, clock, demo, googleStandIn, leases, followed }: Around,
) {
  const { log, view, database, settings } = charter;
  const { now } = clock;
  let stopping = false;
  const after = createBackgroundWork(logger, (kind) => counts.workDropped(kind));
  const visitors = createBrowserSessions(charter, logger, now, (request) => clientAddressOf(request, settings));
  const people = sessionAuthenticator(database, settings, visitors, now);
  const gate = createGate(COSTLY_READ_LIMITS, (reason) => counts.refusedForLoad(reason));
  const verifyGate = createGate({ ...COSTLY_READ_LIMITS, concurrent: 1, concurrentPerCaller: 1 }, (reason) =>
    counts.refusedForLoad(reason),
  );
  const feedGate = createGate(FEED_LIMITS, (reason) => counts.refusedForLoad(reason));
  const listenerGate = createGate(LISTENER_LIMITS, (reason) => counts.refusedForLoad(reason));
  const revisionGate = createGate(REVISION_WAIT_LIMITS, (reason) => counts.refusedForLoad(reason));
  const streams = createOpenStreams({ stopping: () => stopping });
  const reading = createOrganizationReader(
    charter,
    now,
    {
      isTrusted: () => !isUntrusted(projection.now().phase),
      position: () => projection.now().position,
    },
    { gate, revisionGate },
  );
  const readers = createHistoryReaders(charter);
  const counts = createMetrics({
    lagSeconds: () => projection.now().lagSeconds,
    lagEvents: () => projection.now().lagEvents,
    parked: () => projection.now().parked.size,
    phase: () => projection.now().phase,
    walBytes: () => log.walBytes?.() ?? 0,
    mailsWaiting: () => database.mails.waiting(),
    deferredWaiting: () => database.deferred.waiting(),
    readersLagSeconds: async () => (await readers.lag(now())).seconds,
    logDropped,
    listeners: streams.count,
    snapshotsRefused: charter.storedSnapshots.refused,
  });
  const projection = project(log, view, organizationView, {
    lease: leases.projections,
    ...clock,
    ...alarmsTo(counts, logger),
    onCommitted: (revisions) => reading.committed(revisions),
    onCheckpointRejected: () => {
      charter.organizations.invalidate();
      charter.trail.invalidate();
    },
  });
  const changes = createChangeReader({ log, logger, projection, stopping: () => stopping });
  const commands = organizationCommands(charter.organizations, effectsOf(charter, reading, counts));
  const mails = startMailSender({ ...charter, logger, counts, ...clock, lease: leases.outbox });
  const deferred = startDeferredWork(
    { ...charter, logger, now },
    {
      reset: resetLinkHandler({ ...charter, logger, counts, now, mails }),
      'confirm-email': confirmationHandler({ ...charter, now, mails }),
      audit: auditHandler(charter),
    },
  );
  const settled = async () => {
    await after.settled(); // background work can add deferred work
    await deferred.settled();
  };
  const tickets = createFlagTickets({ ...charter, now });
  const callers = withTickets(
    keyOrSessionAuthenticator(
      apiKeyAuthenticator(database, settings, now, createKeyUseRecorder(charter, after)),
      people,
    ),
    tickets,
  );
  const runtime = runtimeOf({
    [STORES]: charter,
    [CLOCK]: clock,
    [LIFECYCLE]: { stopping: () => stopping },
    [OBSERVABILITY]: { logger, counts, reporting },
    [GATES]: { gate, verifyGate, feedGate },
    [FLAG_STREAMS]: {
      ...{ streams, listenerGate, tickets },
      flagNotices: createFlagNotices({ ...charter, now }, changes, counts.noticesSent),
      entitlementNotices: createEntitlementNotices({ ...charter, now }, changes, counts.noticesSent),
    },
    [AUTHENTICATION]: { callers, browserSessions: visitors, signedIn: signedInPersonBy(people) },
    [ORGANIZATION_ACCESS]: { commands, reading, projection, recordRead: createReadAudit(charter.trail) },
    [BACKGROUND]: {
      backgroundWork: { ...after, settled },
      deferred,
      billing: createBilling(charter, commands, { logger, counts, now }),
      mails,
      leases,
      replayedAtStart: followed,
    },
    [PAGE_SETTINGS]: {
      pages: builtPages(),
      demo,
      needsFirstAccount: watchFirstAccount(database.people.accounts),
      googleStandIn,
    },
  });
  return { runtime, stopping: () => void (stopping = true) };
}
