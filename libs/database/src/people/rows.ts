import type { Account, AccountChange, NewPreferences, Session } from '@charter/identity';
import type { Schema } from '../schema/schema';

export const accountRow = (account: Account): Schema['accounts'] => {
  const { id, state, email, username, name, role, created, version } = account;
  return {
    ...{ id, state, email, username, name, role, created, version },
    email_verified: Number(account.emailVerified),
    language: account.language,
    time_zone: account.timeZone,
    single_keys: flagOf(account.singleKeys),
    password_hash: account.passwordHash,
    sought: searchTextOf(account),
    erased: null,
  };
};

export const accountFromRow = (row: Omit<Schema['accounts'], 'sought' | 'erased'>): Account => {
  const { id, state, email, username, name, role, language, created, version } = row;
  return {
    ...{ id, state, email, username, name, role, language, created, version },
    emailVerified: row.email_verified === 1,
    timeZone: row.time_zone,
    singleKeys: row.single_keys === null ? null : row.single_keys === 1,
    passwordHash: row.password_hash,
  };
};

/** The columns of the given preferences. */
export const preferenceColumnsOf = ({ language, timeZone, singleKeys }: NewPreferences) => ({
  ...(language !== undefined && { language }),
  ...(timeZone !== undefined && { time_zone: timeZone }),
  ...(singleKeys !== undefined && { single_keys: flagOf(singleKeys) }),
});

const flagOf = (value: boolean | null): number | null => (value === null ? null : Number(value));

/** The columns that a change of an account sets. */
export const accountColumns = ({
  emailVerified,
  passwordHash,
  ...others
}: AccountChange): Partial<Schema['accounts']> => ({
  ...others,
  ...(emailVerified !== undefined && { email_verified: Number(emailVerified) }),
  ...(passwordHash !== undefined && { password_hash: passwordHash }),
});

/**
 * The email address, username and name as one text in lower case. Charter converts the text itself, because not every
 * database can convert letters outside ASCII.
 */
export const searchTextOf = ({ email, username, name }: Pick<Account, 'email' | 'username' | 'name'>): string =>
  normalizeSearchText([email, username, name].filter((text) => text !== null).join('\n'));

export const normalizeSearchText = (text: string): string => text.normalize('NFC').toLowerCase();

export const sessionFromRow = ({
  id,
  hash,
  account,
  method,
  organization,
  agent,
  began,
  used,
}: Schema['sessions']): Session => {
  return { id, hash, account, method, organization, agent, began, used };
};
