import type { Moment } from '@charter/decider';

/**
 * The platform roles (`decisions.md`, Who may do what). The account stores its platform role; the roles of members are
 * in the organizations' streams.
 */
export const platformRoles = ['operator', 'auditor'] as const;
export type PlatformRole = (typeof platformRoles)[number];

/**
 * `invited`: an invitation created the account, which has no password yet and cannot sign in (`decisions.md`, Signing
 * in, 17). `erased`: Charter has removed all data that identifies the person; only the account's id is left.
 */
export type AccountState = 'invited' | 'active' | 'disabled' | 'erased';

/** A person's account. Charter stores all personal data in tables and none in events, so that it can erase the data. */
export type Account = Readonly<{
  id: string;
  state: AccountState;
  /** The canonical form of the address, for comparisons and for mails; null after the account is erased. */
  email: string | null;
  /** Whether the person has opened a link that was mailed to the address, or a provider has verified the address. */
  emailVerified: boolean;
  /** The username in its canonical form, without `@`. */
  username: string | null;
  name: string | null;
  role: PlatformRole | null;
  /** The BCP 47 tag of a language in which Charter is available. */
  language: string | null;
  /** The IANA name of the time zone in which the person reads moments. */
  timeZone: string | null;
  /** Whether single keys, without Ctrl, are shortcuts on the pages of the console. */
  singleKeys: boolean | null;
  /** An argon2id hash in PHC format; null if the person cannot sign in with a password. */
  passwordHash: string | null;
  created: Moment;
  /** Increases with every change, so that the store detects simultaneous changes. */
  version: number;
}>;

/** The preferences of a person for the pages; null if the person has not chosen. */
export type Preferences = Pick<Account, 'language' | 'timeZone' | 'singleKeys'>;
/** The preferences to store; an absent or undefined preference does not change. */
export type NewPreferences = { readonly [Choice in keyof Preferences]?: Preferences[Choice] | undefined };
export const noPreferences: Preferences = { language: null, timeZone: null, singleKeys: null };

/** The new values of an account's fields; absent fields do not change. */
export type AccountChange = Partial<
  Pick<Account, 'state' | 'email' | 'emailVerified' | 'username' | 'name' | 'role' | 'passwordHash'>
>;

/**
 * The access that a change of an account also revokes: the account's sessions, its links, or the API keys that the
 * account created. `keys` is the moment at which the keys are revoked.
 */
export type RevokedAccess = Readonly<{ sessions?: true; links?: true; keys?: Moment }>;

export type IdentifierConflict = 'email-taken' | 'username-taken';

/** Stores accounts. All identifiers are in canonical form, and each identifier belongs to at most one account. */
export interface AccountStore {
  insert(account: Account): Promise<'made' | IdentifierConflict>;
  byId(id: string): Promise<Account | undefined>;
  byIds(ids: readonly string[]): Promise<readonly Account[]>;
  byEmail(email: string): Promise<Account | undefined>;
  byUsername(username: string): Promise<Account | undefined>;
  /**
   * `stale`: the account was changed or erased after this version was read. The transaction that changes the account
   * also revokes the access in `ending`.
   */
  change(
    id: string,
    version: number,
    change: AccountChange,
    ending?: RevokedAccess,
  ): Promise<'changed' | 'stale' | IdentifierConflict>;
  /**
   * Stores preferences. The version of the account stays the same, because no check of the account depends on a
   * preference. Returns false if the account does not exist or is erased.
   */
  prefer(id: string, preferences: NewPreferences): Promise<boolean>;
  /**
   * Replaces the hash of the account's password with another hash of the same password. The version of the account
   * stays the same, so that simultaneous sign-ins succeed. Changes nothing if the account no longer has the hash
   * `former`.
   */
  rehash(id: string, former: string, passwordHash: string): Promise<void>;
  /**
   * Accounts sorted by address, without erased accounts. If `q` is present, lists only accounts whose address, username
   * or name contains `q`. `next` is the last address of the page, and the next page begins after this address, even if
   * that account has changed.
   */
  list(query: {
    q?: string | undefined;
    after?: string | undefined;
    limit: number;
  }): Promise<Readonly<{ accounts: readonly Account[]; next: string | undefined }>>;
  /** Whether an account was ever created. An erased account counts too. */
  existed(): Promise<boolean>;
  /**
   * The account that is linked to the provider's subject. A subject is linked to at most one account (`acceptance.md`
   * G6).
   */
  bySubject(issuer: string, subject: string): Promise<Account | undefined>;
  link(id: string, issuer: string, subject: string, now: number): Promise<void>;
  /**
   * Removes names, addresses, password, subjects, sessions and links, and revokes the API keys that the account
   * created. Only the account's id is left.
   */
  erase(id: string, now: number): Promise<boolean>;
}

/** A browser session. Only the browser has the cookie's value. */
export type Session = Readonly<{
  id: string;
  /** The SHA-256 of the cookie's value in lower-case hex. */
  hash: string;
  account: string;
  method: 'password' | 'google' | 'sso';
  /**
   * The only organization that the session may access; null if it may access every organization. A provider that an
   * organization has configured may claim any identity. A session from an organization's provider therefore has access
   * to no other organization, and has no platform role.
   */
  organization: string | null;
  /** The browser's user agent, shortened. The user agent helps the person to recognize the session. */
  agent: string;
  began: Moment;
  /** The minute in which the session was last used. */
  used: Moment;
}>;

export type AuthenticatedSession = Readonly<{ session: Session; account: Account }>;

export interface SessionStore {
  /**
   * Stores a session. Returns false if the account is not active, or has changed since `version`. A caller that has
   * checked a password or an identity passes the version that the account had at the check. A change of the password
   * during the sign-in thus prevents the sign-in.
   */
  insert(session: Session, version?: number): Promise<boolean>;
  /**
   * The session and its account, if the account is active. One query reads the session and the account, without a
   * cache.
   */
  find(hash: string): Promise<AuthenticatedSession | undefined>;
  /** Records that the session was used, at most once a minute. */
  touch(id: string, now: number): Promise<void>;
  /** The sessions of an account that were used since a moment, newest first. */
  listOf(account: string, usedSince: Moment): Promise<readonly Session[]>;
  /** Returns false if the account has no such session. */
  end(id: string, account: string): Promise<boolean>;
  /** Ends the given sessions, which may belong to several accounts; returns the number of ended sessions. */
  endThose(ids: readonly string[]): Promise<number>;
  /** Ends all sessions of an account, or all except one; returns the number of ended sessions. */
  endAll(account: string, except?: string): Promise<number>;
  /**
   * Deletes sessions that were last used at `usedBefore` or earlier, or that began at `beganBefore` or earlier; returns
   * their number.
   */
  sweep(limits: { usedBefore: Moment; beganBefore: Moment }): Promise<number>;
  /**
   * A text that changes whenever a session may have ended or an account may have changed, in this process or another
   * process. Undefined if the stamp is unknown.
   */
  stamp?(): string | undefined;
}

/**
 * The organizations that may show a person's name and address to their members (`decisions.md` 22). Either the person
 * has accepted the membership, or the organization has invited the person by address.
 */
export interface IntroductionStore {
  add(organization: string, account: string): Promise<void>;
  /** The given accounts that are introduced to the organization. */
  among(organization: string, accounts: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * The given accounts that are introduced to the organization now, or were introduced to it during an earlier
   * membership.
   */
  everAmong(organization: string, accounts: readonly string[]): Promise<ReadonlySet<string>>;
  organizationsOf(account: string): Promise<ReadonlySet<string>>;
  /**
   * Ends an introduction, because the membership has ended. Only the organization's history still shows the person's
   * name.
   */
  end(organization: string, account: string): Promise<void>;
}

/** The action that a link permits. An invitation sets the first password of an account, and signs the person in. */
export type LinkPurpose = 'reset' | 'invitation' | 'email';

/** A link that works once. Only the mail, or the printed link, contains the token. */
export type AccountLink = Readonly<{
  /** The SHA-256 of the token in lower-case hex. */
  hash: string;
  purpose: LinkPurpose;
  account: string;
  /**
   * The address to which the link was mailed; an `email` link confirms this address. Null if the link was printed; such
   * a link proves no address.
   */
  email: string | null;
  created: Moment;
  expires: Moment;
}>;

export interface LinkStore {
  /** Stores a link. Earlier links of the same purpose and account stop working. */
  replace(link: AccountLink): Promise<void>;
  /** Finds a link without using it. */
  find(hash: string): Promise<AccountLink | undefined>;
  /** Uses and removes the link. If several callers use the link at the same time, returns true to only one of them. */
  take(hash: string): Promise<boolean>;
  /**
   * Removes all links of an account, because its password or address has changed, or because the account was disabled.
   */
  dropAll(account: string): Promise<void>;
  sweep(now: number): Promise<number>;
}

/**
 * Stores secrets that other parties gave to Charter, for example under the name `sso:<organization>`. Callers must pass
 * only encrypted secrets.
 */
export interface SecretStore {
  /**
   * Stores `sealed` under `name` only if the stored secret is `expected` (undefined: no secret). In the same
   * transaction, stores an empty entry under `mark`. Returns false and stores nothing if the stored secret is not
   * `expected`.
   */
  compareAndSet(
    name: string,
    change: Readonly<{ expected: string | undefined; sealed: string; mark: string }>,
  ): Promise<boolean>;
  get(name: string): Promise<string | undefined>;
  /** Removes the secret of this name only if the stored secret is `expected`. */
  remove(name: string, expected: string): Promise<void>;
}

/**
 * The other stored data about a person, in addition to the account and its sessions. The person may see this other
 * data, because it contains no secrets and no hashes.
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
  /** The organizations whose history still shows the person's name as the name of a former member. */
  formerOrganizations: readonly string[];
}>;

/** All stores of personal data. */
export type People = Readonly<{
  /** The data for the export of a person's own data. */
  holdingsOf: (account: string) => Promise<Holdings>;
  accounts: AccountStore;
  sessions: SessionStore;
  links: LinkStore;
  introductions: IntroductionStore;
  secrets: SecretStore;
}>;
