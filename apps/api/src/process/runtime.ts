import type { IncomingMessage } from 'node:http';
import type { Projection } from '@charter/projections';
import type { Charter, OrganizationCommands, ReplayedChanges } from '@charter/application';
import type { Logger } from 'pino';
import type { Billing } from '../billing/billing';
import type { MailSender } from '../mail/mail-sender';
import type { BackgroundWork } from './background-work';
import type { RecordRead } from '../history/read-audit';
import type { Leases } from './leases';
import type { Metrics } from './observability/metrics';
import type { BuiltPages } from '../pages/built-pages';
import type { Authenticator, SignedInPerson } from '../http/authentication/caller';
import type { Gate } from '../http/admission/gate';
import type { BrowserSessions } from '../sign-in/sessions';
import type { OrganizationReader } from '../organizations/organization-reader';
import type { Reporting } from './observability/reporting';

/** What every controller and handler may need, put together once in `serve.ts`. */
export type Runtime = Charter &
  Readonly<{
    /** What goes on when an answer is out. */
    backgroundWork: BackgroundWork;
    callers: Authenticator;
    browserSessions: BrowserSessions;
    /** Who is signed in with this browser, on current facts. @throws Stop 503 */
    signedIn: (request: IncomingMessage) => Promise<SignedInPerson | undefined>;
    /** Undefined: no pages were built. */
    pages: BuiltPages | undefined;
    /** Whether this store was founded with examples; said on every page. */
    demo: boolean;
    /** The one way in for commands of organizations. */
    commands: OrganizationCommands;
    reading: OrganizationReader;
    /** For questions that cost much. */
    gate: Gate;
    /** For whoever has a history verified: one at a time (`acceptance.md` I5). */
    verifyGate: Gate;
    /** For whoever listens to changes. */
    feedGate: Gate;
    /** Tells who looked into a history, in their own stream. */
    recordRead: RecordRead;
    projection: Projection;
    logger: Logger;
    counts: Metrics;
    billing: Billing;
    mails: MailSender;
    /** Who projects and who sends, of all processes on these stores. */
    leases: Leases;
    /** What the tables of people had to be told again when this process started. */
    replayedAtStart: ReplayedChanges;
    reporting: Reporting;
    /** Milliseconds since 1970. */
    now: () => number;
    /** True from the moment that a stop was asked for: not ready, though requests under way are finished. */
    stopping: () => boolean;
  }>;

export const RUNTIME = Symbol('Runtime');
