import type { Moment } from '@charter/decider';

/** Platform roles (`decisions.md`, Who may do what). Membership roles live in the organizations' own streams. */
export const platformRoles = ['operator', 'auditor'] as const;
export type PlatformRole = (typeof platformRoles)[number];

/**
 * `invited`: created by an invitation, without a password yet, so it cannot sign in (`decisions.md`, Signing in, 17).
 * `erased`: only the id is left, without a link to the person.
 */
export type AccountState = 'invited' | 'active' | 'disabled' | 'erased';

/** A person's account. Everything personal is stored here and nowhere else, so that it can be erased. */
export type Account = Readonly<{
  id: string;
  state: AccountState;
  /** The canonical form, used for comparison and as the address of mail; null once erased. */
  email: string | null;
  /** Whether the person used a link sent to the address, or a provider vouched for it. */
  emailVerified: boolean;
  /** Contains no `@`, compared in its canonical form. */
  username: string | null;
  name: string | null;
  role: PlatformRole | null;
  /** A BCP 47 code of a shipped language. */
  language: string | null;
  /** argon2id in PHC form; null: cannot sign in by password. */
  passwordHash: string | null;
  created: Moment;
  /** Grows with every change, so that the store detects concurrent changes. */
  version: number;
}>;

/** The fields of an account to change; absent fields stay. */
export type AccountChange = Partial<
  Pick<Account, 'state' | 'email' | 'emailVerified' | 'username' | 'name' | 'role' | 'language' | 'passwordHash'>
>;

/** The access that a change revokes: all sessions of the account, its links, and the API keys that it created. */
export type RevokedAccess = Readonly<{ sessions?: true; links?: true; keys?: Moment }>;

export type IdentifierConflict = 'email-taken' | 'username-taken';

/** Stores accounts. Identifiers are given in canonical form, and no two accounts share one. */
export interface AccountStore {
  insert(account: Account): Promise<'made' | IdentifierConflict>;
  byId(id: string): Promise<Account | undefined>;
  byIds(ids: readonly string[]): Promise<readonly Account[]>;
  byEmail(email: string): Promise<Account | undefined>;
  byUsername(username: string): Promise<Account | undefined>;
  /**
   * `stale`: the account has changed since this version was read, or does not exist any more. The same transaction
   * revokes `ending`.
   */
  change(
    id: string,
    version: number,
    change: AccountChange,
    ending?: RevokedAccess,
  ): Promise<'changed' | 'stale' | IdentifierConflict>;
  /**
   * Accounts in the order of their addresses, without erased ones. `q` is searched in address, username and name.
   * `next` is the last address of the page, and stays valid when its account changes.
   */
  list(query: {
    q?: string | undefined;
    after?: string | undefined;
    limit: number;
  }): Promise<Readonly<{ accounts: readonly Account[]; next: string | undefined }>>;
  /** The only account that the provider's subject signs in to (`acceptance.md` G6). */
  bySubject(issuer: string, subject: string): Promise<Account | undefined>;
  link(id: string, issuer: string, subject: string, now: number): Promise<void>;
  /**
   * Removes names, addresses, password, subjects, sessions and tokens, and revokes the keys of the account. Only the id
   * stays.
   */
  erase(id: string, now: number): Promise<boolean>;
}

/** A browser session. Only that browser has the cookie's value. */
export type Session = Readonly<{
  id: string;
  /** SHA-256 of the cookie's value, lower-case hex. */
  hash: string;
  account: string;
  method: 'password' | 'google' | 'sso';
  /**
   * The only organization that the session may access; null: every organization. An organization's own provider may
   * assert any identity. So its sessions reach no other organization and have no platform role.
   */
  organization: string | null;
  /** The browser's user agent, shortened, so that its owner recognizes the session. */
  agent: string;
  began: Moment;
  /** Its last use, to the minute. */
  used: Moment;
}>;

export type AuthenticatedSession = Readonly<{ session: Session; account: Account }>;

export interface SessionStore {
  /**
   * Stores a session. False: the account is not active, or not in this version any more. A caller that verified a
   * password or an identity passes the verified version, so that a concurrent change of the password prevents the
   * sign-in.
   */
  insert(session: Session, version?: number): Promise<boolean>;
  /** The session with its account, while that is active, in one query without a cache. */
  find(hash: string): Promise<AuthenticatedSession | undefined>;
  /** Records a use, at most once a minute. */
  touch(id: string, now: number): Promise<void>;
  /** The sessions of an account used since then, newest first. */
  listOf(account: string, usedSince: Moment): Promise<readonly Session[]>;
  /** False: this account has no such session. */
  end(id: string, account: string): Promise<boolean>;
  /** Ends sessions of any account; returns their number. */
  endThose(ids: readonly string[]): Promise<number>;
  /** Ends all sessions of an account, except one; returns their number. */
  endAll(account: string, except?: string): Promise<number>;
  /** Deletes expired sessions; returns their number. */
  sweep(limits: { usedBefore: Moment; beganBefore: Moment }): Promise<number>;
  /** Changes whenever a session may have ended or an account may have changed, here or in another process. */
  stamp?(): string;
}

/** The action that a mailed link permits. */
export type LinkPurpose = 'reset' | 'invitation' | 'email';

/** A link that works once. Only the mail, or the printed copy, contains the token. */
export type AccountLink = Readonly<{
  /** SHA-256 of the token, lower-case hex. */
  hash: string;
  purpose: LinkPurpose;
  account: string;
  /**
   * The address that the link was mailed to; an `email` link confirms it. Null: the link was printed, and proves no
   * address.
   */
  email: string | null;
  created: Moment;
  expires: Moment;
}>;

export interface LinkStore {
  /** Replaces earlier links of the same purpose and account; these stop working. */
  replace(link: AccountLink): Promise<void>;
  /** Finds a link without using it. */
  find(hash: string): Promise<AccountLink | undefined>;
  /** Uses the link. True for exactly one of several concurrent callers. */
  take(hash: string): Promise<boolean>;
  /** Removes all links of an account, because its password or address changed, or it was disabled. */
  dropAll(account: string): Promise<void>;
  sweep(now: number): Promise<number>;
}

/**
 * Secrets that other parties gave to Charter. They are encrypted before they are stored; a name is for example
 * `sso:<organization>`.
 */
export interface SecretStore {
  set(name: string, sealed: string): Promise<void>;
  get(name: string): Promise<string | undefined>;
  remove(name: string): Promise<void>;
}

/**
 * The stored data about a person besides account and sessions, as the person may see it: without secrets and hashes.
 */
export type Holdings = Readonly<{
  subjects: readonly Readonly<{ issuer: string; subject: string; linked: Moment }>[];
  links: readonly Pick<AccountLink, 'purpose' | 'email' | 'created' | 'expires'>[];
  mails: readonly Readonly<{
    id: string;
    kind: string;
    language: string;
    made: Moment;
    state: 'waiting' | 'sent' | 'failed';
    attempts: number;
    settled: Moment | null;
    to: string;
  }>[];
  keys: readonly Readonly<{
    id: string;
    prefix: string;
    name: string;
    organization: string | null;
    created: Moment;
    expires: Moment | null;
    revoked: Moment | null;
    used: Moment | null;
    scopes: readonly string[];
  }>[];
}>;

/** All stores of personal data. */
export type People = Readonly<{
  /** For a person's export of their own data. */
  holdingsOf: (account: string) => Promise<Holdings>;
  accounts: AccountStore;
  sessions: SessionStore;
  links: LinkStore;
  secrets: SecretStore;
}>;
