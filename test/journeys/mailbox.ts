import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { soon } from './soon';

/** A real mail server on loopback, which keeps what it is given. */
export type Mailbox = Readonly<{
  url: string;
  mails: readonly Mail[];
  /** Waits for the mail number `count` to this address. */
  mailTo: (address: string, count?: number) => Promise<Mail>;
  close: () => Promise<void>;
}>;
export type Mail = Readonly<{ to: readonly string[]; subject: string; text: string; html: string }>;

export async function openMailbox(): Promise<Mailbox> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      simpleParser(stream).then(
        (parsed) => {
          mails.push(mailOf(to, parsed));
          done();
        },
        (error: unknown) => done(error as Error),
      );
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const mailsTo = (address: string) => mails.filter(({ to }) => to.includes(address));
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    mailTo: async (address, count = 1) => {
      await soon(() => expect(mailsTo(address).length).toBeGreaterThanOrEqual(count), 15_000);
      return mailsTo(address)[count - 1]!;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const mailOf = (to: readonly string[], { subject = '', text = '', html }: ParsedMail): Mail => ({
  to,
  subject,
  text,
  html: html || '',
});

/** The first address in a mail's text that leads to this service. */
export const linkIn = ({ text }: Mail): string => /https?:\/\/\S+/.exec(text)?.[0] ?? '';
