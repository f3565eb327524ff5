import { isLoopback, type Settings } from '@charter/settings';
import { createTransport } from 'nodemailer';
import type { RenderedMail } from './rendered-mail';

/** The way to a mail server. */
export type MailTransport = Readonly<{
  /** Resolves when the server has taken it. @throws Undelivered */
  send: (mail: Readonly<{ id: string; to: string; letter: RenderedMail }>) => Promise<void>;
  /** Whether the server would take mail now. @throws Undelivered */
  greet: () => Promise<void>;
  close: () => void;
}>;

/** Why a mail was not taken, in code words: what a server says in reply may hold the address. */
export class MailRejected extends Error {
  constructor(
    readonly code: string,
    /** The server refuses this mail or its address for ever; another attempt would be answered alike. */
    readonly isFinal: boolean,
  ) {
    super(`A mail was not delivered: ${code}.`);
    this.name = 'MailRejected';
  }
}

/** A server that is silent for so long is given up for this time. */
const SILENCE_MS = 30_000;
const CONNECTIONS_MAX = 3;

/**
 * `smtps://` is TLS from the first byte. `smtp://` turns to TLS before anything is said, or fails: a reset link is as good as a
 * password. Without TLS only on this machine, or where the setting ends in `?tls=off`.
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
      if (!ONE_ADDRESS.test(to)) throw new MailRejected('EADDRESS', true);
      const address = { name: '', address: to };
      await transport
        .sendMail({
          from: mailFrom,
          to: address,
          envelope: { from: addressIn(mailFrom), to: [to] },
          messageId: `<${id}@${domain}>`, // of the mail, not of the attempt: who gets it twice can tell
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

/** Nothing that a mail program, or the library below, would read as several addresses or as another header. */
const ONE_ADDRESS = /^[^\s\p{Cc}\p{Cf}<>()[\]:;,@\\"]{1,64}@[^\s\p{Cc}\p{Cf}<>()[\]:;,@\\"]{1,255}$/u;

const addressIn = (from: string) => /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from.trim();

function fail(error: unknown): never {
  const { code = 'EUNKNOWN', responseCode } = error as { code?: string; responseCode?: number };
  const refused = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined && responseCode >= 500;
  throw new MailRejected(responseCode === undefined ? code : `${code} ${responseCode}`, refused);
}
