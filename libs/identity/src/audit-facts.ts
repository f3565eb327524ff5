import type { DataFlaw, Immutable, Message } from '@charter/decider';
import { z } from 'zod';
import { platformRoles, type Session } from './people';

const text = z.string();
const method = z.enum(['password', 'google', 'sso'] satisfies Session['method'][]);
const provider = z.enum(['google', 'sso']);
/**
 * The schema of events without data. The schema accepts unknown fields, because newer code may add fields. Older code
 * therefore still reads an event with new fields, for example an event that ended a person's access.
 */
const nothing = z.object({});
/**
 * The number of attempts that one event records. Present only if the entered username or e-mail address belongs to no
 * account.
 */
const attempts = z.int().exactOptional();
/**
 * `version` is the account's version before the change. If restored tables contain `version` or a lower version of the
 * account, they lack the change.
 */
const versioned = z.strictObject({ version: z.int().exactOptional() });
const inOrganization = z.strictObject({ organization: text });
/** `message` is the id that the provider gave to the message. */
const billingMessage = z.strictObject({ provider: z.enum(['stripe', 'cloudevents']), message: text });

const SignInFailure = z.enum([
  'wrong-password',
  'throttled',
  'disabled',
  'invited',
  'no-password',
  'no-organization',
  'limit-exceeded',
  'managed',
  'unverified-email',
  'unknown',
]);
export type SignInFailure = z.infer<typeof SignInFailure>;

/**
 * These events record that an account or an API key has read or exported an organization's history, at most once an
 * hour. `ChangesRead` records a read of the changes of all organizations that the reader may audit.
 */
const readingFacts = { HistoryRead: inOrganization, HistoryExported: inOrganization, ChangesRead: nothing };

/**
 * The events in the audit stream of an account or an API key (`decisions.md`, Events; `account-<uuid>`, `key-<uuid>`).
 * Their metadata contain the actor and the time. The events contain only ids: no address, no name, no secret. Existing
 * event types and fields never change; only additions are allowed.
 */
const accountFacts = {
  AccountCreated: z.strictObject({ by: z.enum(['command-line', 'invitation', 'demo']) }),
  SignedIn: z.strictObject({ method, session: text }),
  SignInFailed: z.strictObject({ method, reason: SignInFailure, attempts }),
  SignedOut: z.strictObject({ session: text }),
  SessionsEnded: z.strictObject({ session: text.exactOptional(), others: z.boolean().exactOptional() }),
  PasswordResetRequested: z.strictObject({ attempts }),
  PasswordReset: versioned,
  PasswordChanged: versioned,
  /**
   * Charter removed the password at a sign-in with a provider: the provider has verified the account's address, which
   * the password's owner had never verified.
   */
  PasswordDropped: versioned.extend({ method: provider }),
  EmailChangeRequested: nothing,
  EmailChanged: nothing,
  NamesChanged: nothing,
  ProviderLinked: z.strictObject({ method: provider }),
  Invited: inOrganization,
  RoleAssigned: z.strictObject({ role: z.enum(platformRoles).nullable() }),
  /** The person has exported their own data. */
  DataExported: nothing,
  /** An operator's decision about a message of a payment provider. */
  BillingMessageReplayed: billingMessage,
  BillingMessageDismissed: billingMessage,
  AccountDisabled: nothing,
  AccountEnabled: nothing,
  AccountErased: nothing,
  ...readingFacts,
};

const keyFacts = {
  KeyCreated: z.strictObject({ scopes: z.array(text), organization: text.exactOptional() }),
  KeyRevoked: nothing,
  KeyUsed: z.strictObject({ day: text }),
  ...readingFacts,
};

type FactIn<Table extends Readonly<Record<string, z.ZodType>>> = {
  [Type in keyof Table]: Readonly<{ type: Type; data: Immutable<z.infer<Table[Type]>> }>;
}[keyof Table];
export type AccountFact = FactIn<typeof accountFacts>;
export type KeyFact = FactIn<typeof keyFacts>;
export type ReadingFact = FactIn<typeof readingFacts>;

const schemas: Readonly<Record<string, z.ZodType>> = { ...accountFacts, ...keyFacts };

/**
 * The first flaw in the data of an audit stream's event. Accepts unknown event types, because these events change no
 * state.
 */
export const auditFactFlaw = ({ type, data }: Message): DataFlaw | undefined =>
  Object.hasOwn(schemas, type) ? schemas[type]!.safeParse(data).error?.issues[0] : undefined;
