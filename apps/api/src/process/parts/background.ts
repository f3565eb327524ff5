import type { ReplayedChanges } from '@charter/application';
import type { Billing } from '../../billing/billing';
import type { MailSender } from '../../mail/mail-sender';
import type { BackgroundWork } from '../work/background-work';
import type { DeferredWork } from '../work/deferred-work';
import type { Leases } from '../leases';

/** The work that a process does in addition to requests. */
export type Background = Readonly<{
  /** Work that the process does after the answer and may lose. */
  backgroundWork: BackgroundWork;
  /** Work that the process does after the answer and must not lose. */
  deferred: DeferredWork;
  billing: Billing;
  mails: MailSender;
  /** The leases for projecting and for sending mails; all processes on these stores share them. */
  leases: Leases;
  /** The account changes that this process repeated when it started. */
  replayedAtStart: ReplayedChanges;
}>;
export const BACKGROUND: unique symbol = Symbol('Background');
