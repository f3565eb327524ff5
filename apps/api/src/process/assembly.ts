import type { SqliteLog } from '@charter/event-log';
import { isUntrusted, project } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import type { Charter, Followed } from '@charter/application';
import type { Logger } from 'pino';
import { afterwards } from './background-work';
import { billingOver } from '../billing/billing';
import { alarmsTo } from './observability/alarms';
import { recordReads } from '../history/read-audit';
import { sendMails } from '../mail/mail-sender';
import { countsFor } from './observability/metrics';
import { builtPages } from '../pages/built-pages';
import { readingFrom } from '../organizations/organization-reader';
import type { Reporting } from './observability/reporting';
import { addressOf } from '../http/input/client-address';
import { callersByKey } from '../http/authentication/caller';
import { FEEDS, gateOf, PLACES } from '../http/admission/gate';
import { keyUses } from '../http/authentication/key-use';
import { callersBy, callersBySession, signedInBy } from '../http/authentication/session-authentication';
import { visitorsOf } from '../sign-in/sessions';
import type { Leases } from './leases';
import type { Runtime } from './runtime';

type Around = Readonly<{
  reporting: Reporting;
  logger: Logger;
  /** Lines of the log that found no room. */
  logDropped: () => number;
  now: () => number;
  demo: boolean;
  leases: Leases;
  followed: Followed;
}>;

/**
 * What every controller and handler may need, put together once. From here on it projects and sends, as far as its role goes
 * and the leases are its own.
 */
export function runtimeOver(charter: Charter, { reporting, logger, logDropped, now, demo, leases, followed }: Around) {
  const { log, view, documents, settings } = charter;
  let stopping = false;
  const after = afterwards(logger);
  const visitors = visitorsOf(charter, logger, now, (request) => addressOf(request, settings));
  const people = callersBySession(documents, settings, visitors, now);
  const gate = gateOf(PLACES, (reason) => counts.putOff(reason));
  const verifyGate = gateOf({ ...PLACES, atOnce: 1, atOnceEach: 1 }, (reason) => counts.putOff(reason));
  const feedGate = gateOf(FEEDS, (reason) => counts.putOff(reason));
  const reading = readingFrom(
    charter,
    now,
    {
      isTrusted: () => !isUntrusted(projection.now().phase),
      position: () => projection.now().position,
    },
    gate,
  );
  const counts = countsFor({
    lagSeconds: () => projection.now().lagSeconds,
    lagEvents: () => projection.now().lagEvents,
    parked: () => projection.now().parked.size,
    phase: () => projection.now().phase,
    walBytes: () => (log as Partial<SqliteLog>).walBytes?.() ?? 0,
    mailsWaiting: () => documents.mails.waiting(),
    logDropped,
  });
  const projection = project(log, view, organizationView, {
    lease: leases.projections,
    now,
    ...alarmsTo(counts, logger),
    onCommitted: (revisions) => reading.committed(revisions),
    onDisbelieved: charter.organizations.forget,
  });
  const runtime: Runtime = {
    ...charter,
    afterwards: after,
    reading,
    gate,
    verifyGate,
    feedGate,
    recordRead: recordReads(charter.trail),
    projection,
    logger,
    counts,
    reporting,
    billing: billingOver({ ...charter, reading, counts }, { logger, counts, now }),
    mails: sendMails({ ...charter, logger, counts, now, lease: leases.outbox }),
    leases,
    followed,
    now,
    visitors,
    signedIn: signedInBy(people),
    callers: callersBy(callersByKey(documents, settings, now, keyUses(charter, after)), people),
    pages: builtPages(),
    demo,
    stopping: () => stopping,
  };
  return { runtime, stopping: () => void (stopping = true) };
}
