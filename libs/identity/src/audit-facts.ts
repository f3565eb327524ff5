import type { DataFlaw, Immutable, Message } from '@charter/decider';
import { z } from 'zod';
import { platformRoles, type Session } from './people';

const text = z.string();
const method = z.enum(['password', 'google', 'sso'] satisfies Session['method'][]);
const provider = z.enum(['google', 'sso']);
/** The type says everything. Fields of newer code must not keep a replay from ending access. */
const nothing = z.object({});
/** Only where the name belongs to no account. One event then stands for several attempts. */
const attempts = z.int().exactOptional();
/** `version`: of the changed account. Restored tables without it lack this change. */
const versioned = z.strictObject({ version: z.int().exactOptional() });
const inOrganization = z.strictObject({ organization: text });
/** `message`: the provider's id of it. */
const billingMessage = z.strictObject({ provider: z.enum(['stripe', 'cloudevents']), message: text });

const SignInFailure = z.enum([
  'wrong-password',
  'throttled',
  'disabled',
  'invited',
  'no-password',
  'no-organization',
  'unverified-email',
  'unknown',
]);
export type SignInFailure = z.infer<typeof SignInFailure>;

/**
 * A person read or exported an organization's history; recorded once an hour. `ChangesRead`: the histories of all
 * organizations that the person may see.
 */
const readingFacts = { HistoryRead: inOrganization, HistoryExported: inOrganization, ChangesRead: nothing };

/**
 * The events in the audit stream of an account or a key (`decisions.md`, Events; `account-<uuid>`, `key-<uuid>`). The
 * metadata holds actor and time. The events hold only ids: no address, no name, no secret. Names and fields are
 * permanent; only additions are allowed.
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
  /** A provider has verified the owner of the address; the person who had set the password had not. */
  PasswordDropped: versioned.extend({ method: provider }),
  EmailChangeRequested: nothing,
  EmailChanged: nothing,
  NamesChanged: nothing,
  ProviderLinked: z.strictObject({ method: provider }),
  Invited: inOrganization,
  RoleAssigned: z.strictObject({ role: z.enum(platformRoles).nullable() }),
  /** The person exported their own data. */
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

/** The first flaw in the data of a stored event of an audit stream. Types of newer code change no state. */
export const auditFactFlaw = ({ type, data }: Message): DataFlaw | undefined =>
  Object.hasOwn(schemas, type) ? schemas[type]!.safeParse(data).error?.issues[0] : undefined;
