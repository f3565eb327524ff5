import { momentAt } from '@charter/decider';
import { revokeKeysOf } from '../api-keys/api-keys';
import { forgetMention } from '../billing-inbox/inbox-rows';
import { isInUnspacedScript } from '../billing-inbox/redaction';
import type { Schema, Tables, DatabaseTransaction } from '../schema/schema';

/**
 * Erases everything about a person in one transaction. The account's id stays. The person's API keys also stay, but
 * they are revoked and have no names.
 * @returns false if the account does not exist or was already erased
 */
export async function eraseAccountIn(within: DatabaseTransaction, id: string, now: number): Promise<boolean> {
  const change = within.updateTable('accounts').where('id', '=', id);
  // The first statement is an update, so a simultaneous erasure waits here until this transaction ends.
  const account = await change
    .set(({ eb }) => ({ erased: momentAt(now), version: eb('version', '+', 1) }))
    .where('state', '!=', 'erased')
    .returning('email')
    .executeTakeFirst();
  if (!account) return false;
  await change.set(erasedPerson).execute();
  for (const table of deletedTables) await within.deleteFrom(table).where('account', '=', id).execute();
  // If another person requested this address, a mail and a link to the address belong to that person's account.
  await within.deleteFrom('mails').where('address', '=', account.email).execute();
  await within.deleteFrom('links').where('email', '=', account.email).execute();
  await revokeKeysOf(within, id, momentAt(now));
  await within.updateTable('api_keys').set({ name: NAMELESS }).where('made_by', '=', id).execute();
  return true;
}

const deletedTables = [
  'account_subjects',
  'mails',
  'sessions',
  'links',
  'introductions',
  'former_introductions', // after `introductions`, because the end of an introduction moves its row here
] as const satisfies readonly (keyof Schema)[];

/** Replaces the name of an API key, because the erased person chose the name. */
const NAMELESS = 'erased';

const erasedPerson = {
  state: 'erased',
  email: null,
  email_verified: 0,
  username: null,
  name: null,
  role: null,
  language: null,
  time_zone: null,
  single_keys: null,
  password_hash: null,
  sought: '',
} as const satisfies Partial<Schema['accounts']>;

/**
 * Removes each name and address of a person from the stored messages of payment providers, except an address that
 * another account has now. The caller runs the function before the erasure deletes the person's names and addresses.
 * The function runs outside the erasure's transaction, because it searches all messages.
 */
export async function forgetMentions(tables: Tables, id: string): Promise<void> {
  const account = tables.selectFrom('accounts').select(['email', 'username', 'name']).where('id', '=', id);
  const mails = tables.selectFrom('mails').select('address').distinct().where('account', '=', id);
  const links = tables.selectFrom('links').select('email').where('account', '=', id);
  const names = [
    ...Object.values((await account.executeTakeFirst()) ?? {}),
    ...(await mails.execute()).map(({ address }) => address),
    ...(await links.execute()).map(({ email }) => email),
  ];
  const searchable = new Set(
    names.filter((text): text is string => text !== null && text.trim().length >= searchableLength(text)),
  );
  const others = tables.selectFrom('accounts').select('id').where('id', '!=', id);
  for (const text of searchable)
    if (!(await others.where('email', '=', text).executeTakeFirst())) await forgetMention(tables, text);
}

/**
 * The minimum length of a name or address that the erasure searches for; a shorter text would match almost every
 * message. Many names in scripts without spaces, such as Chinese, have two characters.
 */
const searchableLength = (text: string): number => (isInUnspacedScript(text.trim()) ? 2 : 3);
