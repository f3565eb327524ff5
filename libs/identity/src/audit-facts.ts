import type { PlatformRole, Session } from './people';

/**
 * The events in the audit stream of an account or a key (`decisions.md`, Events; `account-<uuid>`, `key-<uuid>`). The
 * metadata holds actor and time. The events hold only ids: no address, no name, no secret.
 */
export type AccountFact =
  | Readonly<{ type: 'AccountCreated'; data: Readonly<{ by: 'command-line' | 'invitation' | 'demo' }> }>
  | Readonly<{ type: 'SignedIn'; data: Readonly<{ method: Session['method']; session: string }> }>
  /** `attempts`: only where the name belongs to no account. One event then stands for several attempts. */
  | Readonly<{
      type: 'SignInFailed';
      data: Readonly<{ method: Session['method']; reason: SignInFailure; attempts?: number }>;
    }>
  | Readonly<{ type: 'SignedOut'; data: Readonly<{ session: string }> }>
  | Readonly<{ type: 'SessionsEnded'; data: Readonly<{ session?: string; others?: boolean }> }>
  | Readonly<{ type: 'PasswordResetRequested'; data: Readonly<{ attempts?: number }> }>
  /** `version`: of the changed account. Restored tables without it lack this change. */
  | Readonly<{ type: 'PasswordReset' | 'PasswordChanged'; data: Readonly<{ version?: number }> }>
  /** A provider has verified the owner of the address; the person who had set the password had not. */
  | Readonly<{ type: 'PasswordDropped'; data: Readonly<{ method: 'google' | 'sso'; version?: number }> }>
  | Readonly<{ type: 'EmailChangeRequested' | 'EmailChanged' | 'NamesChanged'; data: object }>
  | Readonly<{ type: 'ProviderLinked'; data: Readonly<{ method: 'google' | 'sso' }> }>
  | Readonly<{ type: 'Invited'; data: Readonly<{ organization: string }> }>
  | Readonly<{ type: 'RoleAssigned'; data: Readonly<{ role: PlatformRole | null }> }>
  /** The person exported their own data. */
  | Readonly<{ type: 'DataExported'; data: object }>
  /** An operator's decision about a message of a payment provider; `message` is the provider's id of it. */
  | Readonly<{
      type: 'BillingMessageReplayed' | 'BillingMessageDismissed';
      data: Readonly<{ provider: 'stripe' | 'cloudevents'; message: string }>;
    }>
  | Readonly<{ type: 'AccountDisabled' | 'AccountEnabled' | 'AccountErased'; data: object }>
  | ReadingFact;

export type SignInFailure =
  | 'wrong-password'
  | 'throttled'
  | 'disabled'
  | 'invited'
  | 'no-password'
  | 'no-organization'
  | 'unverified-email'
  | 'unknown';

export type KeyFact =
  | Readonly<{ type: 'KeyCreated'; data: Readonly<{ scopes: readonly string[]; organization?: string }> }>
  | Readonly<{ type: 'KeyRevoked'; data: object }>
  | Readonly<{ type: 'KeyUsed'; data: Readonly<{ day: string }> }>
  | ReadingFact;

/**
 * A person read or exported an organization's history; recorded once an hour. `ChangesRead`: the histories of all
 * organizations that the person may see.
 */
export type ReadingFact =
  | Readonly<{ type: 'HistoryRead' | 'HistoryExported'; data: Readonly<{ organization: string }> }>
  | Readonly<{ type: 'ChangesRead'; data: object }>;
