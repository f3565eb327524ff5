import { setTimeout as pause } from 'node:timers/promises';
import type { Mail } from '@charter/database';
import type { Lease } from '@charter/projections';
import type { Runtime } from '../process/runtime';
import { expiryOf, isNotice, type MailRequest, type Outbox, createOutbox } from './outbox';
import { type MailTransport, smtpTransport, MailRejected } from './smtp-transport';

/** Mails, and how they fare. */
export type MailSender = Readonly<{
  /** Puts a mail into the outbox; it is on disk when this resolves, and sent soon, off the path of the request. */
  send: (wish: MailRequest) => Promise<void>;
  /** What an operator should know: nothing is sent without SMTP_URL; the mail server takes mails, or it does not. */
  state: () => 'off' | 'ok' | 'failing';
  /** As it would be read. @throws once it was sent */
  open: Outbox['open'];
  /** Another try of one that was given up. `dead`: its link works no longer. */
  retry: (id: string) => Promise<'queued' | 'dead' | 'unknown'>;
  stop: () => Promise<void>;
}>;

/** How often the outbox is looked at; with no regard to requests, so that their times say nothing about it. */
const LOOK_MS = 500;
/** How often a mail server that failed is greeted, when no mail is due. */
const GREET_MS = 30_000;
/** Mails on their way at once. */
const TOGETHER = 3;
/** Whoever took a mail and did not come back by then has died: it is sent again, at worst a second time. */
const TAKEN_MS = 120_000;
/** How long mails on their way may take when a stop was asked for. */
const STOP_MS = 3_000;
/** How long a mail stays in the list of operators. */
const KEPT_DAYS = 14;

/** Seconds until the next attempt, after the first, the second …; then each hour until it expires. */
const PAUSES = [10, 30, 60, 120, 300, 600, 900, 1_800];

export type MailSenderDependencies = Pick<Runtime, 'documents' | 'settings' | 'keyFor' | 'logger' | 'counts' | 'now'> &
  Readonly<{ lease: Lease }>;

/**
 * Sends what is in the outbox, beside the server, while the lease is ours. It saves work: what keeps two processes from sending
 * one mail is that a mail is marked as tried before it is sent. A process that dies in between may send one twice, with the
 * same Message-ID, and never forgets one.
 */
export function startMailSender(needs: MailSenderDependencies): MailSender {
  const { documents, settings, logger, now } = needs;
  const present = presentOf(needs);
  const outbox = createOutbox(documents.mails, { ...needs, present });
  const post = settings.smtpUrl === undefined ? undefined : smtpTransport(settings.smtpUrl, settings);
  const way = post && wayOver(needs, post, outbox, () => stopping);
  let underWay: Promise<void> | undefined;
  let stopping = false;

  const look = () => {
    underWay ??= (way?.work() ?? Promise.resolve())
      .catch((error: unknown) => logger.warn({ why: String(error) }, 'the outbox could not be worked through'))
      .finally(() => (underWay = undefined));
  };
  const looking = way && setInterval(look, LOOK_MS).unref();
  const sweep = () =>
    documents.mails
      .sweep(now() - KEPT_DAYS * 86_400_000)
      .catch((error: unknown) => logger.warn({ why: String(error) }, 'old mails were not swept'));
  const sweeping = setInterval(() => void sweep(), 3_600_000).unref();

  return {
    send: outbox.put,
    open: outbox.open,
    state: () => way?.state() ?? 'off',
    retry: async (id) => {
      const mail = await documents.mails.find(id);
      if (mail?.state !== 'failed') return 'unknown';
      if (!isNotice(mail.kind) && mail.expires <= new Date(now()).toISOString()) return 'dead';
      const at = await present();
      const expires = isNotice(mail.kind) ? expiryOf(mail.kind, at) : mail.expires;
      return (await documents.mails.retry(id, expires, at)) ? 'queued' : 'unknown';
    },
    stop: async () => {
      stopping = true;
      clearInterval(looking);
      clearInterval(sweeping);
      await Promise.race([underWay, pause(STOP_MS, undefined, { ref: false })]);
      post?.close();
    },
  };
}

/** Works through what is due, and knows how the mail server does. */
function wayOver(needs: MailSenderDependencies, post: MailTransport, outbox: Outbox, stopping: () => boolean) {
  const { logger, counts, now, lease } = needs;
  const { mails } = needs.documents;
  const present = presentOf(needs);
  let failing: boolean | undefined;
  let greeted = -Infinity;

  const greet = async () => {
    greeted = now();
    const before = failing;
    failing = await post.greet().then(
      () => false,
      (error: unknown) => {
        if (!before) logger.warn({ error: codeOf(error) }, 'the mail server does not answer');
        return true;
      },
    );
  };

  const deliver = async (mail: Mail, taken: number): Promise<void> => {
    const { id, kind, to } = mail;
    const attempts = mail.attempts + 1;
    if (now() - taken >= TAKEN_MS) return; // this process was frozen: somebody else may be sending it by now
    try {
      if (mail.expires <= new Date(now()).toISOString()) throw new MailRejected('expired', true);
      await post.send({ id, to, letter: opened(mail) });
      failing = false;
    } catch (error) {
      const why = error instanceof MailRejected ? error : new MailRejected('EUNKNOWN', false);
      failing = failing || !why.isFinal;
      const next = (await present()) + pauseAfter(attempts);
      const isOver = why.isFinal || new Date(next).toISOString() >= mail.expires;
      await mails.failed(id, { error: why.code, next: isOver ? 'never' : next }, now());
      counts.mailFailed(isOver ? 'given-up' : 'again');
      logger[isOver ? 'error' : 'warn'](
        { mail: id, kind, attempts, error: why.code },
        isOver ? 'a mail was given up' : 'a mail could not be sent yet',
      );
      return;
    }
    await mails.sent(id, now());
    counts.mailSent();
  };

  const opened = (mail: Mail) => {
    try {
      return outbox.open(mail);
    } catch {
      throw new MailRejected('unreadable', true);
    }
  };

  return {
    state: () => (failing ? ('failing' as const) : ('ok' as const)),
    work: async () => {
      if (!(await lease.hold())) return;
      if (failing !== false && now() - greeted >= GREET_MS) await greet();
      while (!stopping() && (await lease.hold())) {
        const [taken, at] = [now(), await present()];
        const due = await mails.due(at, TOGETHER);
        if (due.length === 0) return;
        await Promise.all(
          due.map(async (mail) => {
            if (await mails.take(mail, at + TAKEN_MS)) await deliver(mail, taken);
          }),
        );
      }
    },
  };
}

/** Who is next is told by the clock that all senders share. */
const presentOf =
  ({ documents, now }: MailSenderDependencies) =>
  (): Promise<number> =>
    documents.now?.() ?? Promise.resolve(now());

const codeOf = (error: unknown) => (error instanceof MailRejected ? error.code : 'EUNKNOWN');

/** Milliseconds, a fifth more or less, so that mails which failed together do not come back together. */
const pauseAfter = (attempts: number): number => (PAUSES[attempts - 1] ?? 3_600) * 1_000 * (0.8 + Math.random() * 0.4);
