import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Refused } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import { momentAt } from '@charter/decider';
import { isSessionOver, type KeyRecord } from '@charter/identity';
import { flagReaders } from '@charter/organization';
import { type FlagSubject, flagSubjectIn, targetingKeyOf } from '@charter/organization-view';
import { z } from 'zod';
import {
  type Authenticator,
  bearerOf,
  type Caller,
  type TicketHolder,
  unauthenticated,
} from '../../http/authentication/caller';
import { sharedLookups } from '../../http/authentication/shared-lookups';
import { requireRole } from '../../organizations/require-role';
import type { Clock } from '../../process/parts/clock';
import { epochEnd } from '../flag-etag';

/** A ticket opens the event stream of one subject, and bulk evaluation for this subject. */
type IssuedTicket = Readonly<{ ticket: string; /** Milliseconds since 1970. */ expires: number }>;

/** Makes and checks tickets. A browser's `EventSource` sends no headers, so the address of a stream has a ticket. */
export type FlagTickets = Readonly<{
  /**
   * The ticket is the same for each request of the caller in one epoch of the subject. A caller with a ticket gets this
   * ticket again, because a ticket must not renew itself.
   */
  issue: (caller: Caller, subject: FlagSubject) => IssuedTicket;
  /**
   * The caller of a ticket: the key or the session that requested the ticket, limited to the ticket's subject.
   * @throws ProblemError 401 if the ticket is wrong or has ended, or if its key, session or membership has ended
   */
  identify: (ticket: string) => Promise<TicketCaller>;
  /**
   * Checks the signature of the ticket once, for an event stream that identifies its caller many times. Each call of
   * the returned function works like `identify`, but does not check the signature again.
   */
  createIdentify: (ticket: string) => () => Promise<TicketCaller>;
}>;

/** A caller that uses a ticket, limited to the organization and the subject of the ticket. */
type TicketCaller = Caller & Readonly<{ only: string; ticket: NonNullable<Caller['ticket']> }>;

/** The time, in milliseconds, for which a ticket is still valid after its epoch. */
const AFTER_EPOCH_MS = 15 * 60_000;
const PREFIX = 'flt_';

/** The content of a ticket: the targeting key, the key or session for which Charter made it, and its end. */
const Content = z.tuple([z.string(), z.enum(['key', 'account']), z.string(), z.string().nullable(), z.int()]);

export function createFlagTickets({
  database,
  keyFor,
  organizations,
  settings,
  now,
}: Pick<Charter, 'database' | 'keyFor' | 'organizations' | 'settings'> & Clock): FlagTickets {
  const key = keyFor('flags');
  const signed = (content: string) => createHmac('sha256', key).update(content).digest('base64url');
  const findKey = sharedLookups(async (id) => (await database.keys.byIds([id]))[0]);
  const findAccount = sharedLookups(database.people.accounts.byId);

  const contentOf = (ticket: string): z.infer<typeof Content> | undefined => {
    const [, content = '', given = ''] = /^flt_([\w-]{1,600})\.([\w-]{43})$/.exec(ticket) ?? [];
    if (given === '' || !timingSafeEqual(Buffer.from(given), Buffer.from(signed(content)))) return undefined;
    return Content.parse(JSON.parse(Buffer.from(content, 'base64url').toString()));
  };
  const callerOfKey = async (id: string) => {
    const record = await findKey(id);
    if (!record || !isActive(record, now()) || !record.scopes.includes('flags:read')) return undefined;
    return { actor: { kind: 'key', id, powers: ['flags:read'] } } as const;
  };
  const callerOfSession = async (id: string, session: string | null) => {
    const { sessionIdle: idle, sessionMax: max } = settings;
    const [account, sessions] = await Promise.all([
      findAccount(id),
      database.people.sessions.listOf(id, momentAt(now() - idle)),
    ]);
    const its = sessions.find((one) => one.id === session);
    if (account?.state !== 'active' || !its || isSessionOver(its, { idle, max }, now())) return undefined;
    const powers = account.role === null || its.organization !== null ? [] : [account.role];
    return { actor: { kind: 'account', id, powers } } as const;
  };
  const createIdentify = (ticket: string) => {
    const [targetingKey, kind, id, session = null, expires = 0] = contentOf(ticket) ?? [];
    const subject = targetingKey === undefined ? undefined : flagSubjectIn(targetingKey);
    return async (): Promise<TicketCaller> => {
      if (!subject || kind === undefined || id === undefined || expires <= now()) throw ended();
      const caller = await (kind === 'key' ? callerOfKey(id) : callerOfSession(id, session));
      if (!caller) throw ended();
      await requireRole({ organizations }, subject.organization, caller.actor, flagReaders).catch((error: unknown) => {
        throw error instanceof Refused ? ended() : error;
      });
      return {
        ...caller,
        only: subject.organization,
        ticket: { subject: targetingKey!, holder: { kind, id, session }, expires },
      };
    };
  };

  return {
    issue: (caller, subject) => {
      const targetingKey = targetingKeyOf(subject);
      const expires = caller.ticket?.expires ?? epochEnd(targetingKey, now()) + AFTER_EPOCH_MS;
      const { kind, id, session } = holderOf(caller);
      const content = Buffer.from(JSON.stringify([targetingKey, kind, id, session, expires])).toString('base64url');
      return { ticket: `${PREFIX}${content}.${signed(content)}`, expires };
    },
    createIdentify,
    identify: (ticket) => createIdentify(ticket)(),
  };
}

/** The key or the session that receives the ticket. For a caller with a ticket, the holder of this ticket. */
const holderOf = ({ actor, signedIn, ticket }: Caller): TicketHolder =>
  ticket?.holder ??
  (signedIn
    ? { kind: 'account', id: actor.id, session: signedIn.session.id }
    : { kind: 'key', id: actor.id, session: null });

const isActive = ({ revoked, expires }: KeyRecord, now: number) =>
  revoked === undefined && (expires === undefined || expires > momentAt(now));

const ended = () => unauthenticated('The ticket is not valid, or has ended. Evaluate the flags again.');

/** On the route of bulk evaluation, a ticket may take the place of an API key. */
export const withTickets = (callers: Authenticator, tickets: FlagTickets): Authenticator => {
  const ticketIn = (request: IncomingMessage) => {
    const presented = BULK.test(request.url ?? '') ? bearerOf(request) : undefined;
    return presented?.startsWith(PREFIX) ? presented : undefined;
  };
  return {
    recall: (request) => (ticketIn(request) === undefined ? callers.recall(request) : undefined),
    identify: (request) => {
      const ticket = ticketIn(request);
      return ticket === undefined ? callers.identify(request) : tickets.identify(ticket);
    },
  };
};

const BULK = /^\/ofrep\/v1\/evaluate\/flags\/?(?:\?|$)/i;
