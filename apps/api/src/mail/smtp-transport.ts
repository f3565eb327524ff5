import { isLoopback, type Settings } from '@charter/settings';
import { createTransport, type NodemailerError } from 'nodemailer';
import type { RenderedMail } from './rendered-mail';

/** The connection to a mail server. */
export type MailTransport = Readonly<{
  /** Resolves when the server has accepted the mail. @throws MailRejected */
  send: (mail: Readonly<{ id: string; to: string; letter: RenderedMail }>) => Promise<void>;
  /** Resolves if the server accepts mails at this moment. @throws MailRejected */
  greet: () => Promise<void>;
  close: () => void;
}>;

/**
 * The reason why the server did not accept a mail, as a code. The server's text is left out, because it may contain the
 * address of the recipient.
 */
export class MailRejected extends Error {
  constructor(
    readonly code: string,
    /**
     * `final`: the server refuses this mail or its recipient permanently, so that another attempt would fail too.
     * `refused-temporarily`: the server refuses this mail or its recipient temporarily. `refused`: the server refuses
     * the sender or requires authentication. `unreachable`: the connection or the authentication failed.
     */
    readonly result: 'final' | 'refused-temporarily' | 'refused' | 'unreachable',
  ) {
    super(`A mail was not delivered: ${code}.`);
    this.name = 'MailRejected';
  }
}

/** If the server sends nothing for this many milliseconds, the attempt fails. */
const SILENCE_MS = 30_000;
const CONNECTIONS_MAX = 3;

/**
 * `smtps://` uses TLS from the first byte. `smtp://` requires STARTTLS, because a link that resets a password is worth
 * as much as the password. A connection without TLS is allowed only if the mail server is on this machine, or if
 * SMTP_URL contains `tls=off`.
 */
export function smtpTransport(
  smtpUrl: string,
  { mailFrom, publicUrl }: Pick<Settings, 'mailFrom' | 'publicUrl'>,
): MailTransport {
  const url = new URL(smtpUrl);
  const secure = url.protocol === 'smtps:';
  const plain = !secure && (isLoopback(url.hostname) || url.searchParams.get('tls') === 'off');
  const domain = new URL(publicUrl).hostname;
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ignoreTLS: plain,
    requireTLS: !secure && !plain,
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    name: domain,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ id, to, letter }) => {
      if (!ONE_ADDRESS.test(to)) throw new MailRejected('EADDRESS', 'final');
      const address = { name: '', address: to };
      await transport
        .sendMail({
          from: mailFrom,
          to: address,
          envelope: { from: addressIn(mailFrom), to: [to] },
          // The Message-ID is the same for all attempts of a mail, so that a mail program recognizes a duplicate.
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          ...letter,
        })
        .catch(fail);
    },
    greet: async () => {
      await transport.verify().catch(fail);
    },
    close: () => transport.close(),
  };
}

/**
 * Matches a text that consists of exactly one address. Excludes characters with which a mail program or nodemailer
 * would read several addresses or another header.
 */
const ONE_ADDRESS = /^[^\s\p{Cc}\p{Cf}<>()[\]:;,@\\"]{1,64}@[^\s\p{Cc}\p{Cf}<>()[\]:;,@\\"]{1,255}$/u;

const addressIn = (from: string) => /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from.trim();

function fail(error: unknown): never {
  const { code = 'EUNKNOWN', responseCode, command } = error as NodemailerError;
  // A refused sender or a missing authentication (530) is an error in the settings: after their correction, another
  // attempt can succeed.
  const isMisconfigured = command === 'MAIL FROM' || responseCode === 530;
  const ofMail = responseCode !== undefined && responseCode >= 500 ? 'final' : 'refused-temporarily';
  const isAnswer = code === 'EENVELOPE' || code === 'EMESSAGE';
  const result = !isAnswer ? 'unreachable' : isMisconfigured ? 'refused' : ofMail;
  throw new MailRejected(responseCode === undefined ? code : `${code} ${responseCode}`, result);
}
