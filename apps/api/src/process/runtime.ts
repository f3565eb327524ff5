import type { IncomingMessage } from 'node:http';
import type { Projection } from '@charter/projections';
import type { Charter, Followed } from '@charter/application';
import type { Logger } from 'pino';
import type { Billing } from '../billing/billing';
import type { Mails } from '../mail/mail-sender';
import type { Afterwards } from './background-work';
import type { RecordRead } from '../history/read-audit';
import type { Leases } from './leases';
import type { Counts } from './observability/metrics';
import type { BuiltPages } from '../pages/built-pages';
import type { Callers, SignedIn } from '../http/authentication/caller';
import type { Gate } from '../http/admission/gate';
import type { Visitors } from '../sign-in/sessions';
import type { Reading } from '../organizations/organization-reader';
import type { Reporting } from './observability/reporting';

/** What every controller and handler may need, put together once in `serve.ts`. */
export type Runtime = Charter &
  Readonly<{
    /** What goes on when an answer is out. */
    afterwards: Afterwards;
    callers: Callers;
    visitors: Visitors;
    /** Who is signed in with this browser, on current facts. @throws Stop 503 */
    signedIn: (request: IncomingMessage) => Promise<SignedIn | undefined>;
    /** Undefined: no pages were built. */
    pages: BuiltPages | undefined;
    /** Whether this store was founded with examples; said on every page. */
    demo: boolean;
    reading: Reading;
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
    counts: Counts;
    billing: Billing;
    mails: Mails;
    /** Who projects and who sends, of all processes on these stores. */
    leases: Leases;
    /** What the tables of people had to be told again when this process started. */
    followed: Followed;
    reporting: Reporting;
    /** Milliseconds since 1970. */
    now: () => number;
    /** True from the moment that a stop was asked for: not ready, though requests under way are finished. */
    stopping: () => boolean;
  }>;

export const RUNTIME = Symbol('Runtime');
