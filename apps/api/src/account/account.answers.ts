import type { Immutable } from '@charter/decider';
import { platformRoles } from '@charter/identity';
import { MemberRole } from '@charter/organization';
import { ActorField, At } from '@charter/organization-view';
import { z } from 'zod';
import { exampleEvent, StoredEventAnswer } from '../history/history.answers';

const ID = '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11';
const moment = '2026-11-21T10:00:00.000Z';
const method = z.enum(['password', 'google', 'sso']);

const person = {
  id: z.guid(),
  name: z.string().nullable(),
  username: z.string().nullable(),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  language: z.string().nullable(),
  role: z.enum(platformRoles).nullable(),
  created: At,
};
const examplePerson = {
  ...{ id: ID, name: 'Ada', username: null, email: 'ada@example.com', emailVerified: true },
  ...{ language: null, role: null, created: moment },
};

const preferences = {
  timeZone: z.string().nullable().meta({ description: 'The time zone in which the pages show all moments' }),
  keys: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether single keys, without Ctrl, are keyboard shortcuts on the pages' }),
};

/** The account of the caller. */
export const OwnAccount = z
  .strictObject({
    ...person,
    ...preferences,
    organizations: z.array(
      z.strictObject({
        id: z.guid(),
        name: z.string(),
        role: MemberRole,
        accepted: z.boolean().meta({
          description: "Whether the other members of the organization see the caller's name and e-mail address",
        }),
      }),
    ),
  })
  .meta({
    id: 'OwnAccount',
    examples: [
      {
        ...examplePerson,
        timeZone: 'Europe/Helsinki',
        keys: true,
        organizations: [{ id: ID, name: 'Harbour Museum', role: 'admin', accepted: false }],
      },
    ],
  });

export type OwnAccount = Immutable<z.infer<typeof OwnAccount>>;

/** An account in answers to operators. The answer contains neither the password hash nor the person's preferences. */
export const AccountAnswer = z
  .strictObject({ ...person, state: z.enum(['invited', 'active', 'disabled', 'erased']) })
  .meta({ id: 'Account', examples: [{ ...examplePerson, state: 'active' }] });
export const AccountPageAnswer = z
  .strictObject({ accounts: z.array(AccountAnswer), next: z.string().nullable() })
  .meta({ id: 'AccountPage', examples: [{ accounts: [{ ...examplePerson, state: 'active' }], next: null }] });

const session = { id: z.guid(), method, agent: z.string(), began: At, used: At };
const exampleSession = { id: ID, method: 'password', agent: 'Firefox', began: moment, used: moment } as const;
const SessionAnswer = z
  .strictObject({
    ...session,
    organization: z.guid().exactOptional(),
    current: z.boolean().meta({ description: 'Whether this session sent the request' }),
  })
  .meta({ id: 'Session' });
export const SessionPage = z
  .strictObject({ sessions: z.array(SessionAnswer), next: z.null() })
  .meta({ id: 'SessionPage', examples: [{ sessions: [{ ...exampleSession, current: true }], next: null }] });

export const ActivityPage = z.strictObject({ events: z.array(StoredEventAnswer), next: z.string().nullable() }).meta({
  id: 'ActivityPage',
  examples: [{ events: [{ ...exampleEvent, type: 'NamesChanged', stream: `account-${ID}`, data: {} }], next: null }],
});

/** The export of all data that Charter stores about a person, without passwords, tokens and their hashes. */
export const OwnDataExport = z
  .strictObject({
    at: At,
    account: z.strictObject({
      ...person,
      ...preferences,
      state: z.enum(['invited', 'active', 'disabled', 'erased']),
      version: z.int(),
      hasPassword: z.boolean(),
    }),
    sessions: z.array(z.strictObject({ ...session, organization: z.guid().nullable() })),
    subjects: z.array(z.strictObject({ issuer: z.string(), subject: z.string(), linked: At })),
    links: z.array(
      z.strictObject({
        purpose: z.enum(['reset', 'invitation', 'email']),
        email: z.string().nullable(),
        created: At,
        expires: At,
      }),
    ),
    mails: z.array(
      z.strictObject({
        id: z.guid(),
        kind: z.string(),
        language: z.string(),
        made: At,
        state: z.enum(['waiting', 'sent', 'failed']),
        attempts: z.int(),
        settled: At.nullable(),
        to: z.string(),
      }),
    ),
    keys: z.array(
      z.strictObject({
        id: z.guid(),
        prefix: z.string(),
        name: z.string(),
        organization: z.guid().nullable(),
        created: At,
        expires: At.nullable(),
        revoked: At.nullable(),
        used: At.nullable(),
        scopes: z.array(z.string()),
      }),
    ),
    organizations: z.array(
      z.strictObject({
        id: z.guid(),
        name: z.string(),
        role: MemberRole,
        closed: z.boolean(),
        isOnlyOwner: z.boolean(),
      }),
    ),
    formerOrganizations: z
      .array(z.guid())
      .describe('the organizations whose history still shows the name of the person, after the membership has ended'),
    activity: z.array(StoredEventAnswer),
  })
  .meta({
    id: 'OwnDataExport',
    examples: [
      {
        at: moment,
        account: { ...examplePerson, timeZone: null, keys: null, state: 'active', version: 3, hasPassword: true },
        sessions: [{ ...exampleSession, organization: null }],
        ...{ subjects: [], links: [], mails: [], keys: [], organizations: [], formerOrganizations: [], activity: [] },
      },
    ],
  });

const erasure = {
  kind: z.literal('erasure'),
  account: z.guid(),
  remains: z
    .string()
    .nullable()
    .meta({ description: 'Which erased data the files of the tables still contain, and until when; null: none' }),
};

/** The fields of a signed certificate, which confirms that an account was erased. */
const signed = {
  ...erasure,
  erased: At,
  by: ActorField,
  event: z.guid(),
  certificate: z.string(),
};
const unsigned = {
  ...erasure,
  certificate: z
    .null()
    .meta({ description: 'Null: the event log is older than the tables and does not contain the erasure' }),
};
export const ErasureCertificate = z
  .union([z.strictObject(signed), z.strictObject(unsigned)])
  .meta({ id: 'ErasureCertificate', examples: [{ kind: 'erasure', account: ID, certificate: null, remains: null }] });

/** The certificate that an operator gets for the erasure of an account, with the id of the operator's HTTP request. */
export const OperatorErasureCertificate = z
  .union([z.strictObject({ ...signed, request: z.guid() }), z.strictObject({ ...unsigned, request: z.guid() })])
  .meta({
    id: 'OperatorErasureCertificate',
    examples: [{ kind: 'erasure', account: ID, certificate: null, remains: null, request: ID }],
  });
