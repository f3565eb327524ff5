import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Moment } from '@charter/decider';
import { type ExpressionBuilder, sql } from 'kysely';
import { redacted, spellings } from './redaction';
import type { Schema, Tables } from '../schema/schema';
import type { BillingMessage, BillingInbox, MessageFact } from './billing-message';

type Row = Schema['billing_messages'];

export const messageFromRow = <Fact>({ fact, ...row }: Row): BillingMessage<Fact> => ({
  ...row,
  fact: fact === null ? null : (JSON.parse(fact) as Fact),
});

/** Selects only the facts of messages, and sorts them by the provider's time, oldest first. */
export const withFacts = (tables: Tables) =>
  tables
    .selectFrom('billing_messages')
    .select(['provider', 'id', 'state', 'fact'])
    .where('fact', 'is not', null)
    .orderBy('time')
    .orderBy('id');

export const factFromRow = <Fact>({ provider, id, state, fact }: Pick<Row, keyof MessageFact>): MessageFact<Fact> => ({
  provider,
  id,
  state,
  fact: JSON.parse(fact!) as Fact,
});

/**
 * The messages that name an organization, the messages that name one of its customers but no organization, and all
 * messages of each subscription for which a message names the organization. Each part uses another index; one query
 * with `or` would read all messages.
 */
export function aboutOrganization(tables: Tables, organization: string) {
  const facts = withFacts(tables).clearOrderBy().select('time');
  const ofSubscriptions = facts.where(({ eb, refTuple, selectFrom }) =>
    eb(
      refTuple('provider', 'subscription'),
      'in',
      selectFrom('billing_messages as same')
        .select(['same.provider', 'same.subscription'])
        .where('same.organization', '=', organization)
        .$asTuple('provider', 'subscription'),
    ),
  );
  return facts
    .where('organization', '=', organization)
    .union(facts.where(isOfCustomer(organization)))
    .union(ofSubscriptions)
    .orderBy('time')
    .orderBy('id');
}

/** Whether a message names no organization but one of this organization's customers. */
const isOfCustomer =
  (organization: string) =>
  ({ and, eb, fn, refTuple, selectFrom, val }: ExpressionBuilder<Schema, 'billing_messages'>) =>
    and([
      // With `organization is null`, SQLite would read all messages that name no organization.
      eb(fn.coalesce('organization', val('')), '=', ''),
      eb(
        refTuple('provider', 'customer'),
        'in',
        selectFrom('billing_customers as linked')
          .select(['linked.provider', 'linked.customer'])
          .where('linked.organization', '=', organization)
          .$asTuple('provider', 'customer'),
      ),
    ]);

/** Selects messages after a cursor, newest first. */
export function listedMessages(tables: Tables, { state, before, limit }: Parameters<BillingInbox['list']>[0]) {
  const newest = tables
    .selectFrom('billing_messages')
    .selectAll()
    .orderBy('received', 'desc')
    .orderBy('provider', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  const wanted = state === undefined ? newest : newest.where('state', '=', state);
  if (before === undefined) return wanted;
  const { received, provider, id } = before;
  return wanted.where(({ eb, refTuple, tuple }) =>
    eb(refTuple('received', 'provider', 'id'), '<', tuple(received, provider, id)),
  );
}

/** Selects messages in the state `received`, after a cursor. The message that has waited longest comes first. */
export function unsettledMessages(
  tables: Tables,
  receivedBefore: Moment,
  limit: number,
  behind?: Pick<BillingMessage, 'received' | 'provider' | 'id'>,
) {
  const waiting = tables.selectFrom('billing_messages').selectAll().where('state', '=', 'received');
  const old = waiting.where('received', '<', receivedBefore).orderBy('received').orderBy('provider').orderBy('id');
  if (behind === undefined) return old.limit(limit);
  const { received, provider, id } = behind;
  const isLater = ({ eb, and, or }: ExpressionBuilder<Schema, 'billing_messages'>) =>
    or([
      eb('received', '>', received),
      and([eb('received', '=', received), eb('provider', '>', provider)]),
      and([eb('received', '=', received), eb('provider', '=', provider), eb('id', '>', id)]),
    ]);
  return old.where(isLater).limit(limit);
}

/**
 * Removes a text from all raw texts that contain it; returns the number of changed texts. Reads the messages in pages,
 * so that no statement exceeds the time limit of a statement, and other work continues between the pages.
 */
export async function forgetMention(tables: Tables, text: string): Promise<number> {
  const patterns = [...spellings(text).flatMap(likePatternsOf), ANY_ASCII_ESCAPE];
  const searched = tables
    .selectFrom('billing_messages')
    .select(['provider', 'id'])
    .select(({ or }) => or(patterns.map((it) => sql<boolean>`lower(raw) like ${it} escape '!'`)).as('may_mention'))
    .orderBy('provider')
    .orderBy('id')
    .limit(MESSAGES_PER_PAGE);
  let changed = 0;
  let after = { provider: '', id: '' };
  for (;;) {
    const { provider, id } = after;
    const page = await searched
      .where(({ eb, refTuple, tuple }) => eb(refTuple('provider', 'id'), '>', tuple(provider, id)))
      .execute();
    for (const { may_mention: mayMention, ...key } of page)
      if (mayMention && (await redactMessage(tables, key, text))) changed += 1;
    if (page.length < MESSAGES_PER_PAGE) return changed;
    after = page.at(-1)!;
    await yieldToEventLoop();
  }
}

/** In SQLite, the search of one page blocks the process for about 0.1 seconds if the text has very many spellings. */
const MESSAGES_PER_PAGE = 100;

/**
 * Removes a text from one raw text; returns false if the raw text does not contain the text. Reads the raw text again
 * if another erasure, or the closing of the organization, has changed the raw text meanwhile.
 */
async function redactMessage(
  tables: Tables,
  key: Readonly<{ provider: string; id: string }>,
  text: string,
): Promise<boolean> {
  for (;;) {
    const known = tables.selectFrom('billing_messages').select('raw');
    const { raw } = (await known.where(({ and }) => and(key)).executeTakeFirst()) ?? { raw: null };
    const without = raw === null ? null : redacted(raw, text);
    if (raw === null || (without !== null && without === JSON.stringify(JSON.parse(raw)))) return false;
    const { numUpdatedRows } = await tables
      .updateTable('billing_messages')
      .set({ raw: without })
      .where(({ and }) => and({ ...key, raw }))
      .executeTakeFirst();
    if (numUpdatedRows === 1n) return true;
  }
}

/** The statements that delete the raw texts of an organization's or a customer's messages. */
export function forgetRawText(tables: Tables, whose: Parameters<BillingInbox['forget']>[0]) {
  const known = tables.updateTable('billing_messages').set({ raw: null }).where('raw', 'is not', null);
  if ('customer' in whose) return [known.where('provider', '=', whose.provider).where('customer', '=', whose.customer)];
  const { organization, receivedUntil } = whose;
  const old = receivedUntil === undefined ? known : known.where('received', '<=', receivedUntil);
  return [old.where('organization', '=', organization), old.where(isOfCustomer(organization))];
}

/**
 * Matches every text with an escaped ASCII character. JSON may write an ASCII letter as a `\u` escape, which the
 * patterns of `likePatternsOf` do not contain. So the process loads and searches every text that contains `\u00`.
 */
const ANY_ASCII_ESCAPE = '%\\u00%';

/** LIKE patterns for all JSON forms of a text, in the usual letter cases. The patterns escape the wildcards of LIKE. */
function likePatternsOf(text: string): readonly string[] {
  const all = [text, ...otherCases(text)].flatMap((written) => {
    const escaped = JSON.stringify(written).slice(1, -1);
    const inAscii = escaped.replace(/[\u0080-\uffff]/g, (letter) => `\\u${hexOf(letter)}`);
    return [asciiLower(escaped), asciiLower(inAscii)];
  });
  return [...new Set(all)].map((written) => `%${written.replace(/[!%_]/g, '!$&')}%`);
}

/**
 * The text in lower case, in upper case, and with a capital letter at the start of each word. The search needs three
 * letter cases, because SQL’s `lower` changes only ASCII letters.
 */
function otherCases(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return [lower, text.toUpperCase(), lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())];
}

const hexOf = (letter: string) => letter.charCodeAt(0).toString(16).padStart(4, '0');

/** Changes only ASCII letters to lower case, like `lower` in SQLite. */
const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
