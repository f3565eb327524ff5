import type { Moment } from '@charter/decider';

/** The platform roles (`decisions.md`, Who may do what). The roles of members are in the organizations' streams. */
export const platformRoles = ['operator', 'auditor'] as const;
export type PlatformRole = (typeof platformRoles)[number];

/**
 * `invited`: an invitation created the account, which has no password yet and cannot sign in (`decisions.md`, Signing
 * in, 17). `erased`: only the account's id is left, and nothing that identifies the person.
 */
export type AccountState = 'invited' | 'active' | 'disabled' | 'erased';

/** A person's account. All personal data is stored here and in no event, so that it can be erased. */
export type Account = Readonly<{
  id: string;
  state: AccountState;
  /** The canonical form of the address, for comparisons and for mails; null once erased. */
  email: string | null;
  /** Whether the person has opened a link that was mailed to the address, or a provider has verified the address. */
  emailVerified: boolean;
  /** The username in its canonical form, without `@`. */
  username: string | null;
  name: string | null;
  role: PlatformRole | null;
  /** The BCP 47 tag of a language in which Charter is available. */
  language: string | null;
  /** An argon2id hash in PHC format; null if the person cannot sign in with a password. */
  passwordHash: string | null;
  created: Moment;
  /** Grows with every change, so that the store detects simultaneous changes. */
  version: number;
}>;

/** The fields of an account that a change sets; absent fields stay as they are. */
export type AccountChange = Partial<
  Pick<Account, 'state' | 'email' | 'emailVerified' | 'username' | 'name' | 'role' | 'language' | 'passwordHash'>
>;

/** The access that a change also revokes: all sessions of the account, its links, or the API keys that it created. */
export type RevokedAccess = Readonly<{ sessions?: true; links?: true; keys?: Moment }>;

export type IdentifierConflict = 'email-taken' | 'username-taken';

/** Stores accounts. Identifiers are in canonical form, and no two accounts have the same one. */
export interface AccountStore {
  insert(account: Account): Promise<'made' | IdentifierConflict>;
  byId(id: string): Promise<Account | undefined>;
  byIds(ids: readonly string[]): Promise<readonly Account[]>;
  byEmail(email: string): Promise<Account | undefined>;
  byUsername(username: string): Promise<Account | undefined>;
  /**
   * `stale`: the account was changed or erased after this version was read. The same transaction revokes the access in
   * `ending`.
   */
  change(
    id: string,
    version: number,
    change: AccountChange,
    ending?: RevokedAccess,
  ): Promise<'changed' | 'stale' | IdentifierConflict>;
  /**
   * Accounts sorted by address, without erased ones. `q` is searched in the address, the username and the name. `next`
   * is the last address of the page; it works even after that account has changed.
   */
  list(query: {
    q?: string | undefined;
    after?: string | undefined;
    limit: number;
  }): Promise<Readonly<{ accounts: readonly Account[]; next: string | undefined }>>;
  /** The only account to which the provider's subject signs in (`acceptance.md` G6). */
  bySubject(issuer: string, subject: string): Promise<Account | undefined>;
  link(id: string, issuer: string, subject: string, now: number): Promise<void>;
  /**
   * Removes names, addresses, password, subjects, sessions and tokens, and revokes the API keys that the account
   * created. Only the id stays.
   */
  erase(id: string, now: number): Promise<boolean>;
}

/** A browser session. Only that browser has the value of the cookie. */
export type Session = Readonly<{
  id: string;
  /** The SHA-256 of the cookie's value in lower-case hex. */
  hash: string;
  account: string;
  method: 'password' | 'google' | 'sso';
  /**
   * The only organization that the session may access; null if it may access every organization. An organization's own
   * provider may claim any identity. A session from such a provider therefore reaches no other organization and has no
   * platform role.
   */
  organization: string | null;
  /** The browser's user agent, shortened; by it a person recognizes the session. */
  agent: string;
  began: Moment;
  /** The minute in which the session was last used. */
  used: Moment;
}>;

export type AuthenticatedSession = Readonly<{ session: Session; account: Account }>;

export interface SessionStore {
  /**
   * Stores a session. Returns false if the account is not active, or has changed since this version. A caller that has
   * checked a password or an identity passes the version that it checked, so that a simultaneous change of the password
   * prevents the sign-in.
   */
  insert(session: Session, version?: number): Promise<boolean>;
  /** The session and its account, if the account is active. One query reads both, without a cache. */
  find(hash: string): Promise<AuthenticatedSession | undefined>;
  /** Records that the session was used, at most once a minute. */
  touch(id: string, now: number): Promise<void>;
  /** The sessions of an account that were used since a moment, newest first. */
  listOf(account: string, usedSince: Moment): Promise<readonly Session[]>;
  /** Returns false if the account has no such session. */
  end(id: string, account: string): Promise<boolean>;
  /** Ends the given sessions, of any accounts; returns the number of ended sessions. */
  endThose(ids: readonly string[]): Promise<number>;
  /** Ends all sessions of an account, or all except one; returns the number of ended sessions. */
  endAll(account: string, except?: string): Promise<number>;
  /** Deletes sessions that were not used for too long or began too long ago; returns their number. */
  sweep(limits: { usedBefore: Moment; beganBefore: Moment }): Promise<number>;
  /** Changes whenever, in this process or another one, a session may have ended or an account may have changed. */
  stamp?(): string;
}

/**
 * Which organizations may show a person's name and address to their members (`decisions.md` 22): the person opened the
 * organization as a member, or it invited the person by address.
 */
export interface IntroductionStore {
  add(organization: string, account: string): Promise<void>;
  /** Those of the accounts that are introduced to the organization. */
  among(organization: string, accounts: readonly string[]): Promise<ReadonlySet<string>>;
  remove(organization: string, account: string): Promise<void>;
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
  /** Removes all links of an account, because its password or address has changed, or because it was disabled. */
  dropAll(account: string): Promise<void>;
  sweep(now: number): Promise<number>;
}

/**
 * Secrets that other parties gave to Charter. Charter encrypts them before it stores them; a name is for example
 * `sso:<organization>`.
 */
export interface SecretStore {
  set(name: string, sealed: string): Promise<void>;
  get(name: string): Promise<string | undefined>;
  remove(name: string): Promise<void>;
}

/**
 * The stored data about a person beside the account and its sessions, as the person may see it: without secrets and
 * hashes.
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
  /** The data for a person's export about themselves. */
  holdingsOf: (account: string) => Promise<Holdings>;
  accounts: AccountStore;
  sessions: SessionStore;
  links: LinkStore;
  introductions: IntroductionStore;
  secrets: SecretStore;
}>;
