import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A received mail with its SMTP envelope. */
type Received = Readonly<{
  from: string;
  /** Every recipient that the envelope names. */
  to: readonly string[];
  secure: boolean;
  mail: ParsedMail;
  raw: string;
}>;

/**
 * The behaviours of the server. `takes`: it accepts mails. `is-busy`: it refuses the connection. `refuses-sender`: it
 * refuses the sender permanently. `needs-login`: it refuses a recipient because the client has not authenticated.
 * `refuses-address` and `greylists`: it refuses a recipient, permanently or temporarily. `refuses-mail`: it refuses the
 * content of a mail. `is-slow`: it accepts a mail after `SLOW_MS`. `drops`: it receives a mail, and closes the
 * connection without an answer.
 */
type Manner =
  | 'takes'
  | 'is-busy'
  | 'is-slow'
  | 'drops'
  | 'greylists'
  | 'needs-login'
  | 'refuses-sender'
  | 'refuses-address'
  | 'refuses-mail';

export type MailServer = Readonly<{
  url: string;
  received: readonly Received[];
  /** The number of recipients in all envelopes so far. */
  begun: () => number;
  behave: (manner: Manner) => void;
  close: () => Promise<void>;
}>;

/** The time that the slow server needs for a mail, in milliseconds. */
export const SLOW_MS = 5_000;

/** Starts an SMTP server on this machine. With `plainOnly` it does not offer TLS. */
export async function mailServer({ host = '127.0.0.1', plainOnly = false, port = 0 } = {}): Promise<MailServer> {
  const received: Received[] = [];
  let manner: Manner = 'takes';
  let begun = 0;
  const busy = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    disabledCommands: ['AUTH', ...(plainOnly ? ['STARTTLS'] : [])],
    disableReverseLookup: true,
    onConnect: (_session, done) => done(manner === 'is-busy' ? busy(421, 'Come back later') : null),
    onMailFrom: (_address, _session, done) => done(manner === 'refuses-sender' ? busy(553, 'Not your address') : null),
    onRcptTo: ({ address }, _session, done) => {
      begun += 1;
      if (manner === 'needs-login') {
        done(busy(530, 'Authentication required'));
        return;
      }
      if (manner === 'refuses-address') {
        done(busy(550, `No such person here: <${address}>`));
        return;
      }
      if (manner === 'greylists') {
        done(busy(451, `Try <${address}> again`));
        return;
      }
      done();
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (manner === 'refuses-mail') {
          done(busy(554, 'This looks like an advertisement'));
          return;
        }
        if (manner === 'drops') {
          hangUp(session.id);
          return;
        }
        const take = async () => {
          const raw = Buffer.concat(chunks);
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            secure: session.secure,
            mail: await simpleParser(raw),
            raw: raw.toString(),
          });
          done();
        };
        setTimeout(() => void take(), manner === 'is-slow' ? SLOW_MS : 0).unref();
      });
    },
  });
  const hangUp = (id: string) => {
    for (const connection of connectionsOf(server)) if (connection.session.id === id) connection._socket.destroy();
  };
  server.on('error', () => undefined); // a client that disconnects is not an error of the server
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    url: `smtp://${host}:${(server.server.address() as AddressInfo).port}`,
    received,
    begun: () => begun,
    behave: (now) => void (manner = now),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of connectionsOf(server)) connection._socket.destroy();
      }),
  };
}

type Connection = Readonly<{ session: { id: string }; _socket: { destroy: () => void } }>;
const connectionsOf = (server: SMTPServer) => (server as unknown as { connections: Set<Connection> }).connections;
