import type { ReplayedChanges } from '@charter/application';
import type { Billing } from '../../billing/billing';
import type { MailSender } from '../../mail/mail-sender';
import type { BackgroundWork } from '../background-work';
import type { Leases } from '../leases';

/** Work that the process does beside requests. */
export type Background = Readonly<{
  /** Runs work after the answer is sent. */
  backgroundWork: BackgroundWork;
  billing: Billing;
  mails: MailSender;
  /** The leases for projecting and for sending mails; all processes on these stores share them. */
  leases: Leases;
  /** The number of account changes that this process applied again at its start. */
  replayedAtStart: ReplayedChanges;
}>;
export const BACKGROUND: unique symbol = Symbol('Background');
