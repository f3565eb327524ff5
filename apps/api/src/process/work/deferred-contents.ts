import type { AuditContext } from '@charter/application';
import type { AccountFact } from '@charter/identity';

/** The stored data of each kind of deferred work. */
export type DeferredContents = Readonly<{
  /** A requested reset link for an e-mail address that may belong to no account. */
  reset: Readonly<{
    /** The requested address in canonical form; empty if it is malformed. */
    email: string;
    /** The language of the request. */
    language: string;
    /** The client's network, for the log. */
    from: string;
    correlation: string;
    at: string;
  }>;
  /**
   * A link that confirms a new address. `version` and `credentialsDigest` are of the moment when the person requested
   * the link: the account's version, and a digest of its address and password.
   */
  'confirm-email': Readonly<{
    account: string;
    version: number;
    credentialsDigest: string;
    email: string;
    language: string;
    at: string;
  }>;
  /** An audit fact for the audit stream of an account, or of `NO_ACCOUNT`. */
  audit: Readonly<{ account: string; fact: AccountFact; context: AuditContext }>;
}>;
export type DeferredKind = keyof DeferredContents;
