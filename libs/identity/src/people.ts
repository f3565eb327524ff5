import type { Moment } from '@charter/decider';

/** Platform roles (`decisions.md`, Who may do what). Membership roles live in the organizations' own streams. */
export const platformRoles = ['operator', 'auditor'] as const;
export type PlatformRole = (typeof platformRoles)[number];

/**
 * `invited`: made by an invitation and without a password yet, so it cannot sign in (`decisions.md`, Signing in, 17).
 * `erased`: an id and nothing else; who it was is known to nobody.
 */
export type AccountState = 'invited' | 'active' | 'disabled' | 'erased';

/** Someone who can sign in. Everything personal about them is here and nowhere else, so that it can be erased. */
export type Account = Readonly<{
  id: string;
  state: AccountState;
  /** In its canonical form, the only one that is compared and the one that mail goes to; null once erased. */
  email: string | null;
  /** Whether a link that was sent to the address came back, or a provider vouched for it. */
  emailVerified: boolean;
  /** Contains no `@`, compared in its canonical form. */
  username: string | null;
  name: string | null;
  role: PlatformRole | null;
  /** A BCP 47 code of the languages that are shipped. */
  language: string | null;
  /** argon2id in PHC form; null: cannot sign in by password. */
  passwordHash: string | null;
  created: Moment;
  /** Grows with every change, so that two changes at once are noticed. */
  version: number;
}>;

/** What may be changed about an account; what is left out stays. */
export type AccountChange = Partial<
  Pick<Account, 'state' | 'email' | 'emailVerified' | 'username' | 'name' | 'role' | 'language' | 'passwordHash'>
>;

/** What a change puts an end to: all of the account's sessions, its links, and the API keys that it made. */
export type RevokedAccess = Readonly<{ sessions?: true; links?: true; keys?: Moment }>;

export type IdentifierConflict = 'email-taken' | 'username-taken';

/** Where accounts are kept. Identifiers are given in canonical form, and no two accounts share one. */
export interface AccountStore {
  insert(account: Account): Promise<'made' | IdentifierConflict>;
  byId(id: string): Promise<Account | undefined>;
  byIds(ids: readonly string[]): Promise<readonly Account[]>;
  byEmail(email: string): Promise<Account | undefined>;
  byUsername(username: string): Promise<Account | undefined>;
  /** `stale`: somebody else changed it since this version was read, or it is gone. What ends, ends in the same moment. */
  change(
    id: string,
    version: number,
    change: AccountChange,
    ending?: RevokedAccess,
  ): Promise<'changed' | 'stale' | IdentifierConflict>;
  /**
   * By e-mail address, without those that are erased; `q` is looked for in address, username and name. `next` is the
   * address that the page ended with, whoever has it when the next one is asked for.
   */
  list(wish: {
    q?: string | undefined;
    after?: string | undefined;
    limit: number;
  }): Promise<Readonly<{ accounts: readonly Account[]; next: string | undefined }>>;
  /** The provider's subject that signs in this account, and no other one (`acceptance.md` G6). */
  bySubject(issuer: string, subject: string): Promise<Account | undefined>;
  link(id: string, issuer: string, subject: string, now: number): Promise<void>;
  /** The account becomes an id: names, addresses, password, subjects, sessions and tokens are gone, its keys are revoked. */
  erase(id: string, now: number): Promise<boolean>;
}

/** A browser that is signed in. The cookie's value is known to that browser alone. */
export type Session = Readonly<{
  id: string;
  /** SHA-256 of the cookie's value, lower-case hex. */
  hash: string;
  account: string;
  /** How it was begun. */
  method: 'password' | 'google' | 'sso';
  /**
   * The only organization that it is good for; null: every one. An organization's own provider says whatever that
   * organization wants, so it opens nothing that is somebody else's, and no platform role.
   */
  organization: string | null;
  /** What the browser called itself, shortened: so that its owner recognizes it. */
  agent: string;
  began: Moment;
  /** Its last use, to the minute. */
  used: Moment;
}>;

export type AuthenticatedSession = Readonly<{ session: Session; account: Account }>;

export interface SessionStore {
  /**
   * False: the account is not active, or no longer of this version. Whoever has judged a password or an identity hands in the
   * version that was judged, so that a password changed meanwhile lets nobody in.
   */
  insert(session: Session, version?: number): Promise<boolean>;
  /** With its account, as long as that is active: one question, on current facts. */
  find(hash: string): Promise<AuthenticatedSession | undefined>;
  /** Notes that it was used, at most once a minute. */
  touch(id: string, now: number): Promise<void>;
  /** Those of an account that were used since, newest first. */
  listOf(account: string, usedSince: Moment): Promise<readonly Session[]>;
  /** False: this account has no such session. */
  end(id: string, account: string): Promise<boolean>;
  /** Whoever's they are; answers with how many there were. */
  endThose(ids: readonly string[]): Promise<number>;
  /** All of an account, but for one; answers with how many. */
  endAll(account: string, except?: string): Promise<number>;
  /** Forgets those that ended by themselves; answers with how many. */
  sweep(limits: { usedBefore: Moment; beganBefore: Moment }): Promise<number>;
  /** Another value whenever a session may have ended or an account may have changed, here or in another process. */
  stamp?(): string;
}

/** What a mailed link is good for. */
export type LinkPurpose = 'reset' | 'invitation' | 'email';

/** A link that works once. Its token is known alone to the mail, or to whoever it was printed for. */
export type AccountLink = Readonly<{
  /** SHA-256 of the token, lower-case hex. */
  hash: string;
  purpose: LinkPurpose;
  account: string;
  /** The address that it was mailed to, and which an `email` link confirms; null: it was printed, and proves no address. */
  email: string | null;
  created: Moment;
  expires: Moment;
}>;

export interface LinkStore {
  /** Links of the same purpose that the account had before no longer work. */
  replace(link: AccountLink): Promise<void>;
  /** Looks without using it. */
  find(hash: string): Promise<AccountLink | undefined>;
  /** Takes it, once, whoever asks at the same time: true for exactly one of them. */
  take(hash: string): Promise<boolean>;
  /** All of an account: its password or address changed, or it was disabled. */
  dropAll(account: string): Promise<void>;
  sweep(now: number): Promise<number>;
}

/** Secrets that other parties gave us, encrypted before they come here: `sso:<organization>` is one name. */
export interface SecretStore {
  set(name: string, sealed: string): Promise<void>;
  get(name: string): Promise<string | undefined>;
  remove(name: string): Promise<void>;
}

/** What is kept about a person besides the account and its sessions, as they may see it: no secret, and no hash of one. */
export type Holdings = Readonly<{
  subjects: readonly object[];
  links: readonly object[];
  mails: readonly object[];
  keys: readonly object[];
}>;

/** Everything that is known about people. */
export type People = Readonly<{
  /** For the export of one's own data. */
  holdingsOf: (account: string) => Promise<Holdings>;
  accounts: AccountStore;
  sessions: SessionStore;
  links: LinkStore;
  secrets: SecretStore;
}>;
