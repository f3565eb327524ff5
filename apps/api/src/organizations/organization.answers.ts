import type { Immutable } from '@charter/decider';
import { type EventType, MemberRole, type OrganizationEvent } from '@charter/organization';
import { MadeAnswer, PlansAnswer, ReceiptAnswer, Revision, Since } from '@charter/organization-view';
import { z } from 'zod';
import type { DeclaredAnswers } from '../http/declared-answers';
import { MEMBER, ORGANIZATION } from './example-events';

type DataOf<Type extends EventType> = Extract<OrganizationEvent, { type: Type }>['data'];

const written = (description: string) =>
  ({ description, content: { 'application/json': ReceiptAnswer }, headers: ['ETag'] }) as const;
const made = (description: string) =>
  ({ description, content: { 'application/json': MadeAnswer }, headers: ['ETag'] }) as const;

/** The answers of a command, with an event that it records as the example. */
export const receipt = <Type extends EventType>(
  type: Type,
  data: DataOf<Type>,
): DeclaredAnswers<z.infer<typeof ReceiptAnswer>> => ({
  200: {
    ...written('The recorded events; empty if nothing changed'),
    example: { revision: 4, events: [{ type, data } as OrganizationEvent] },
  },
});

/** The answers of a command that creates an object with this id, with an event that it records as the example. */
export const madeReceipt = <Type extends EventType>(
  id: string,
  type: Type,
  data: DataOf<Type>,
): DeclaredAnswers<z.infer<typeof MadeAnswer>> => ({
  200: made('The object, for example a site, existed already, so the request changed nothing'),
  201: {
    ...made('The request has created an object, for example a site'),
    headers: ['ETag', 'Location'],
    example: { id, revision: 4, events: [{ type, data } as OrganizationEvent] },
  },
});

export type ListedOrganization = z.infer<typeof OrganizationPage>['organizations'][number];
export const OrganizationPage = z
  .strictObject({
    organizations: z.array(z.strictObject({ id: z.guid(), name: z.string(), plans: PlansAnswer, revision: Revision })),
    next: z.string().nullable(),
  })
  .meta({
    id: 'OrganizationPage',
    examples: [
      {
        organizations: [{ id: ORGANIZATION, name: 'Acme', plans: { first: null, second: null }, revision: 4 }],
        next: null,
      },
    ],
  });

const MemberAnswer = z
  .strictObject({
    user: z.guid(),
    role: MemberRole,
    productUser: z.boolean(),
    since: Since,
    roleSince: Since,
    name: z.string().nullable().exactOptional(),
    username: z.string().nullable().exactOptional(),
    email: z.string().nullable().exactOptional(),
    invited: z.boolean().exactOptional(),
    erased: z.literal(true).exactOptional(),
  })
  .meta({
    id: 'Member',
    description:
      'A member without these fields has no account here, or was added by id and has not accepted the membership',
  });
export type MemberAnswer = Immutable<z.infer<typeof MemberAnswer>>;

export type MemberPage = z.infer<typeof MemberPage>;
export const MemberPage = z
  .strictObject({
    members: z.array(MemberAnswer),
    next: z.string().nullable(),
    inAll: z.int().min(0).meta({ description: 'The number of members that match the filter' }),
  })
  .meta({
    id: 'MemberPage',
    examples: [
      {
        members: [
          {
            user: MEMBER,
            role: 'owner',
            productUser: false,
            since: { event: 1, at: '2026-11-01T00:00:00.000Z' },
            roleSince: { event: 1, at: '2026-11-01T00:00:00.000Z' },
            name: 'Ada',
            username: null,
            email: 'ada@example.com',
            invited: false,
          },
        ],
        next: null,
        inAll: 1,
      },
    ],
  });
