import type { ReplayedChanges } from '@charter/application';
import type { Billing } from '../../billing/billing';
import type { MailSender } from '../../mail/mail-sender';
import type { BackgroundWork } from '../background-work';
import type { Leases } from '../leases';

/** What goes on beside requests. */
export type Background = Readonly<{
  /** Work that goes on after an answer. */
  backgroundWork: BackgroundWork;
  billing: Billing;
  mails: MailSender;
  /** Which of all processes on these stores projects, and which sends. */
  leases: Leases;
  /** The account changes that this process applied again when it started. */
  replayedAtStart: ReplayedChanges;
}>;
export const BACKGROUND: unique symbol = Symbol('Background');
