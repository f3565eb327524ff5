import type { AccountState, LinkPurpose, PlatformRole, Session } from '@charter/identity';
import type { Kysely, Transaction } from 'kysely';

/**
 * The rows of all tables. Moments are ISO texts and positions are texts of twenty digits, so every database can sort
 * and compare both as texts.
 */
export interface Schema {
  views: { name: string; begun: number; live: number | null; paused: number };
  editions: {
    view: string;
    edition: number;
    version: number;
    ended: 'retired' | 'abandoned' | null;
    store: string | null;
    position: string | null;
    event_position: string | null;
    event_id: string | null;
    commits: number;
    /**
     * During the build of the edition: the position up to which the builder has read the log, and the time of the
     * builder's last report (`heard_of`).
     */
    reached: string | null;
    heard_of: string | null;
  };
  documents: { view: string; edition: number; stream: string; revision: number; at: string; state: string };
  list_rows: {
    view: string;
    edition: number;
    stream: string;
    name: string;
    sort: string;
    tags: string;
    columns: string;
  };
  /**
   * For each list (`tag`) that contains the stream, one row with the text by which the list sorts its streams. The
   * empty tag means the list of all streams.
   */
  list_tags: { view: string; edition: number; tag: string; sort: string; stream: string };
  parked: {
    view: string;
    edition: number;
    stream: string;
    revision: number;
    error: string;
    attempts: number;
    since: string;
    /** The number of releases by an operator that the projector has not handled yet. */
    released: number;
    type: string;
    position: string;
  };
  leases: { name: string; holder: string; until: string };
  marks: { name: string; value: string };
  /** The e-mail domains that organizations have proven, each with its last check. */
  proven_domains: { domain: string; organization: string; checked: string; missing: string | null };
  /** The recorded reads of histories, projected from the streams of accounts and keys. */
  history_reads: {
    scope: string;
    at: string;
    kind: 'account' | 'key';
    reader: string;
    did: 'read' | 'exported' | 'followed';
    role: PlatformRole | null;
  };
  /** The platform role that the account's stream recorded last. */
  reader_roles: { account: string; role: PlatformRole | null };
  /** Folded states of long histories. `proof` is a keyed hash of the other columns. */
  history_snapshots: {
    stream: string;
    version: number;
    revision: number;
    hash: string;
    at: string;
    in_force_by: string;
    state: string;
    proof: string;
  };
  /** The head of each stream at the moment when the last checkpoint was signed. */
  signed_heads: { stream: string; events: number; head: string };
  receipts: {
    key: string;
    body_hash: string;
    claimed: string;
    status: number | null;
    headers: string | null;
    body: string | null;
    answered: string | null;
  };
  api_keys: {
    id: string;
    prefix: string;
    hash: string;
    name: string;
    scopes: string;
    organization: string | null;
    made_by: string | null;
    created: string;
    expires: string | null;
    revoked: string | null;
    used: string | null;
  };
  attempts: { bucket: string; count: number; ends: string };
  mails: {
    id: string;
    kind: string;
    account: string | null;
    address: string;
    language: string;
    sealed: string | null;
    made: string;
    state: 'waiting' | 'sent' | 'failed';
    attempts: number;
    next: string;
    error: string | null;
    expires: string;
    settled: string | null;
  };
  deferred_work: { id: string; kind: string; sealed: string; attempts: number; next: string };
  accounts: {
    id: string;
    state: AccountState;
    email: string | null;
    email_verified: number;
    username: string | null;
    name: string | null;
    role: PlatformRole | null;
    language: string | null;
    time_zone: string | null;
    single_keys: number | null;
    password_hash: string | null;
    created: string;
    version: number;
    /** The email address, username and name in one lower-case text, for the search. */
    sought: string;
    erased: string | null;
  };
  account_subjects: { issuer: string; subject: string; account: string; linked: string };
  sessions: {
    id: string;
    hash: string;
    account: string;
    method: Session['method'];
    organization: string | null;
    agent: string;
    began: string;
    used: string;
  };
  links: {
    hash: string;
    purpose: LinkPurpose;
    account: string;
    email: string | null;
    created: string;
    expires: string;
  };
  introductions: { organization: string; account: string };
  former_introductions: { organization: string; account: string };
  secrets: { name: string; sealed: string };
  billing_messages: {
    provider: string;
    id: string;
    type: string;
    time: string;
    organization: string | null;
    customer: string | null;
    subscription: string | null;
    fact: string | null;
    raw: string | null;
    state: 'received' | 'applied' | 'overtaken' | 'ignored' | 'quarantined' | 'dismissed';
    reason: string | null;
    detail: string | null;
    attempts: number;
    received: string;
    settled: string | null;
  };
  billing_customers: { provider: string; customer: string; organization: string; claimed: string };
}

export type Tables = Kysely<Schema>;
export type DatabaseTransaction = Transaction<Schema>;
