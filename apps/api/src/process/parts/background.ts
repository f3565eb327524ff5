import type { ReplayedChanges } from '@charter/application';
import type { Billing } from '../../billing/billing';
import type { MailSender } from '../../mail/mail-sender';
import type { BackgroundWork } from '../background-work';
import type { Leases } from '../leases';

/** Work beside requests. */
export type Background = Readonly<{
  /** Work after an answer. */
  backgroundWork: BackgroundWork;
  billing: Billing;
  mails: MailSender;
  /** The leases for projecting and for sending mails, of all processes on these stores. */
  leases: Leases;
  /** The account changes that this process applied again when it started. */
  replayedAtStart: ReplayedChanges;
}>;
export const BACKGROUND: unique symbol = Symbol('Background');
