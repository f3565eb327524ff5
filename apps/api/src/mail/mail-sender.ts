import { setTimeout as pause } from 'node:timers/promises';
import type { Mail } from '@charter/database';
import { momentAt } from '@charter/decider';
import type { Lease } from '@charter/projections';
import { expiryOf, isNotice, type MailRequest, type Outbox, createOutbox } from './outbox';
import { type MailTransport, smtpTransport, MailRejected } from './smtp-transport';
import type { Charter } from '@charter/application';
import { type Clock, databaseTime, type Stopwatch } from '../process/parts/clock';
import type { Observability } from '../process/parts/observability';
import { memberName } from '../organizations/members/member-names';

/** Sends mails, and shows whether the mail server accepts them. */
export type MailSender = Readonly<{
  /**
   * Puts a mail into the outbox. Resolves when the mail is on disk. The process sends the mail soon afterwards, outside
   * of the request.
   */
  send: (request: MailRequest) => Promise<void>;
  /**
   * The state of sending, for operators. `off`: SMTP_URL is not set. `failing`: the mail server is unreachable or
   * refuses the sender, or it has temporarily refused waiting mails of at least two accounts and has accepted no mail
   * since. `ok`: otherwise.
   */
  state: () => 'off' | 'ok' | 'failing';
  /** Renders the mail. Rejects if the mail was already sent, because the content of a sent mail is erased */
  open: Outbox['open'];
  /** Puts a failed mail back into the queue. `dead`: the link in the mail no longer works. */
  retry: (id: string) => Promise<'queued' | 'dead' | 'unknown'>;
  stop: () => Promise<void>;
}>;

/**
 * The interval, in milliseconds, at which the worker reads the outbox. Requests do not start the worker, because
 * response times must not reveal whether Charter sends a mail.
 */
const POLL_MS = 500;
/** The interval in milliseconds at which the worker checks an unreachable mail server while no mail is due. */
const GREET_MS = 30_000;
/** The maximum number of mails that a process sends at the same time. */
const CONCURRENT_MAX = 3;
/**
 * The number of milliseconds after which another process may claim a mail, because the first process has probably
 * crashed. If the first process still runs, the mail may be sent twice.
 */
const CLAIM_MS = 120_000;
/** The maximum number of milliseconds for which a stop waits for mails that are being sent. */
const STOP_MS = 3_000;
/**
 * The number of days after which the worker deletes a mail from the outbox. Until its deletion, operators can list the
 * mail.
 */
const RETENTION_DAYS = 14;

/**
 * The pauses between two attempts, in seconds. After the last pause, the process makes an attempt each hour until the
 * mail expires.
 */
const PAUSES = [10, 30, 60, 120, 300, 600, 900, 1_800];

export type MailSenderDependencies = Pick<Charter, 'settings' | 'database' | 'keyFor'> &
  Clock &
  Stopwatch &
  Pick<Observability, 'logger' | 'counts'> &
  Readonly<{ lease: Lease }>;

/**
 * Sends the mails in the outbox in the background, while this process holds the lease. The lease only avoids double
 * work. Two processes never send the same mail at the same time, because a process claims each mail first. After a
 * crash a mail may be sent twice, with the same Message-ID, but no mail is lost.
 */
export function startMailSender(needs: MailSenderDependencies): MailSender {
  const { database, settings, logger, now } = needs;
  const present = databaseTime(needs);
  const outbox = createOutbox(database.mails, {
    ...needs,
    present,
    inviterName: ({ organization, account }) => memberName(database, organization, account),
  });
  const transport = settings.smtpUrl === undefined ? undefined : smtpTransport(settings.smtpUrl, settings);
  const worker = transport && createWorker(needs, transport, outbox, () => stopping);
  let running: Promise<void> | undefined;
  let stopping = false;

  const poll = () => {
    running ??= (worker?.work() ?? Promise.resolve())
      .catch((error: unknown) => logger.warn({ why: String(error) }, 'the mails in the outbox could not be sent'))
      .finally(() => (running = undefined));
  };
  const polling = worker && setInterval(poll, POLL_MS).unref();
  const sweep = () =>
    database.mails
      .sweep(now() - RETENTION_DAYS * 86_400_000)
      .catch((error: unknown) => logger.warn({ why: String(error) }, 'old mails could not be deleted'));
  const sweeping = setInterval(() => void sweep(), 3_600_000).unref();

  return {
    send: outbox.put,
    open: outbox.open,
    state: () => worker?.state() ?? 'off',
    retry: async (id) => {
      const mail = await database.mails.find(id);
      if (mail?.state !== 'failed') return 'unknown';
      if (!isNotice(mail.kind) && mail.expires <= momentAt(now())) return 'dead';
      if (await hasDeadLink(needs, outbox, mail)) return 'dead';
      const at = await present();
      const expires = isNotice(mail.kind) ? expiryOf(mail.kind, at) : mail.expires;
      return (await database.mails.retry(id, expires, at)) ? 'queued' : 'unknown';
    },
    stop: async () => {
      stopping = true;
      clearInterval(polling);
      clearInterval(sweeping);
      await Promise.race([running, pause(STOP_MS, undefined, { ref: false })]);
      transport?.close();
    },
  };
}

/** Sends the mails whose next attempt is due, and tracks whether the mail server works. */
function createWorker(
  needs: MailSenderDependencies,
  transport: MailTransport,
  outbox: Outbox,
  stopping: () => boolean,
) {
  const { logger, counts, now, elapsed, lease } = needs;
  const { mails } = needs.database;
  const present = databaseTime(needs);
  /** The state of the mail server. Only an accepted mail ends `refused`, because a greeting sends no mail. */
  let server: 'unknown' | 'ok' | 'unreachable' | 'refused' = 'unknown';
  /**
   * The waiting mails, by id, that the server has refused temporarily since it last accepted a mail. The mails of a
   * single account are no sign of a broken server, because the mailbox of this account may be full.
   */
  const refusedTemporarily = new Map<string, Readonly<{ account: string; expires: string }>>();
  let greeted = -Infinity;

  const greet = async () => {
    greeted = elapsed();
    const before = server;
    server = await transport.greet().then(
      () => 'ok',
      (error: unknown) => {
        if (before !== 'unreachable') logger.warn({ error: codeOf(error) }, 'the mail server does not answer');
        return 'unreachable';
      },
    );
  };

  const deliver = async (mail: Mail, taken: number): Promise<void> => {
    const { id, kind, to } = mail;
    const attempts = mail.attempts + 1;
    // If this process was suspended for `CLAIM_MS`, another process may be sending the mail.
    if (now() - taken >= CLAIM_MS) return;
    const isExpired = mail.expires <= momentAt(now());
    if (!isExpired && (await hasDeadLink(needs, outbox, mail))) {
      refusedTemporarily.delete(id);
      await mails.failed(id, { error: 'dead-link', next: 'never' }, now());
      // A dead link is not a failure: for example, the person may have requested a newer link.
      logger.info({ mail: id, kind, attempts }, 'a mail was not sent, because its link no longer works');
      return;
    }
    try {
      if (isExpired) throw new MailRejected('expired', 'final');
      await transport.send({ id, to, letter: await opened(mail) });
      server = 'ok';
      refusedTemporarily.clear();
    } catch (error) {
      const why = error instanceof MailRejected ? error : new MailRejected('EUNKNOWN', 'unreachable');
      if ((why.result === 'unreachable' || why.result === 'refused') && server !== 'refused') server = why.result;
      const next = (await present()) + pauseAfter(attempts);
      const isOver = why.result === 'final' || momentAt(next) >= mail.expires;
      if (isOver) refusedTemporarily.delete(id);
      else if (why.result === 'refused-temporarily')
        refusedTemporarily.set(id, { account: mail.account ?? id, expires: mail.expires });
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

  const opened = (mail: Mail) =>
    outbox.open(mail).catch(() => {
      throw new MailRejected('unreadable', 'final');
    });

  return {
    state: () => {
      const waiting = [...refusedTemporarily.values()].filter(({ expires }) => expires > momentAt(now()));
      const accounts = new Set(waiting.map(({ account }) => account));
      const isFailing = server === 'unreachable' || server === 'refused' || accounts.size > 1;
      return isFailing ? ('failing' as const) : ('ok' as const);
    },
    work: async () => {
      if (!(await lease.hold())) {
        refusedTemporarily.clear(); // another process sends these mails
        return;
      }
      if ((server === 'unknown' || server === 'unreachable') && elapsed() - greeted >= GREET_MS) await greet();
      while (!stopping() && (await lease.hold())) {
        const [taken, at] = [now(), await present()];
        const due = await mails.due(at, CONCURRENT_MAX);
        if (due.length === 0) return;
        await Promise.all(
          due.map(async (mail) => {
            if (await mails.take(mail, at + CLAIM_MS)) await deliver(mail, taken);
          }),
        );
      }
    },
  };
}

/** Whether the mail contains a link that was replaced, used or withdrawn. */
const hasDeadLink = async (
  { database }: Pick<MailSenderDependencies, 'database'>,
  outbox: Outbox,
  mail: Mail,
): Promise<boolean> => {
  const hash = outbox.linkHashOf(mail);
  return hash !== undefined && (await database.people.links.find(hash)) === undefined;
};

const codeOf = (error: unknown) => (error instanceof MailRejected ? error.code : 'EUNKNOWN');

/**
 * The pause before the next attempt to send a mail, in milliseconds. The pause varies at random by up to a fifth, so
 * that the process does not retry many mails at the same time.
 */
const pauseAfter = (attempts: number): number => (PAUSES[attempts - 1] ?? 3_600) * 1_000 * (0.8 + Math.random() * 0.4);
