import { mailServer } from '../support/sign-in/mail-server';
import { eventually } from './browser/eventually';

/** An SMTP server on this machine, and the mails that it received. */
export type Mailbox = Readonly<{
  url: string;
  mails: () => readonly Mail[];
  /** Waits for the mail with the number `count` to this address; the first mail has the number 1. */
  mailTo: (address: string, count?: number) => Promise<Mail>;
  close: () => Promise<void>;
}>;
export type Mail = Readonly<{ to: readonly string[]; subject: string; text: string; html: string }>;

export async function openMailbox(): Promise<Mailbox> {
  const { url, received, close } = await mailServer();
  const mails = () =>
    received.map(({ to, mail: { subject = '', text = '', html } }) => ({ to, subject, text, html: html || '' }));
  return {
    url,
    mails,
    mailTo: (address, count = 1) =>
      eventually(() => {
        const theirs = mails().filter(({ to }) => to.includes(address));
        expect(theirs.length).toBeGreaterThanOrEqual(count);
        return theirs[count - 1]!;
      }, MAIL_MS),
    close,
  };
}

/** Even on a busy machine, the service sends the mails of its outbox within this time. */
const MAIL_MS = 20_000;

/** The link of a mail: the first URL in its text. */
export const linkIn = ({ text }: Mail): string => /https?:\/\/\S+/.exec(text)?.[0] ?? '';
