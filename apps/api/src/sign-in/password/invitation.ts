import type { Charter } from '@charter/application';
import { accountMembershipIn, isMemberSomewhere } from '@charter/application';
import { contentOf, type StoredEvent } from '@charter/event-log';
import { type Account, type AccountLink, accountStream, linkHash } from '@charter/identity';
import { organizationStream } from '@charter/organization';
import type { Request } from 'express';
import { z } from 'zod';
import { inSentence, oneLine } from '../../mail/safe-names';
import { memberName } from '../../organizations/members/member-names';
import type { Clock } from '../../process/parts/clock';
import { attemptLimits, clientNetworkOf, requireAttempt } from '../limits';
import { invalidLink, linkOf } from './redeem-link';

/** The content of the page of an invitation. Names that look like links are changed, as in mails. */
export const InvitationAnswer = z
  .strictObject({
    organization: z
      .strictObject({ id: z.uuid(), name: z.string() })
      .nullable()
      .describe('null if no organization has invited the person, or the person is no longer its member'),
    inviter: z.string().nullable().describe('the name of the member who invites; null if there is no name to show'),
    name: z.string().nullable().describe('the name of the invited person, if Charter knows it'),
    email: z.string().nullable().describe('the address to which the link was mailed; null if the link was printed'),
  })
  .meta({
    id: 'Invitation',
    examples: [
      {
        organization: { id: '7d4d8a07-8f6b-4f3c-9d2d-6f5c52cb4f14', name: 'Northwind' },
        inviter: 'Ada Lovelace',
        name: null,
        email: 'bo@northwind.example',
      },
    ],
  });
export type InvitationAnswer = z.infer<typeof InvitationAnswer>;

/**
 * `POST /invitation`: shows the organization and the inviter to the holder of the link, and does not use the link. Also
 * shows the address to which Charter mailed the link, so that a password manager stores the password with this address.
 * The answer for an unknown, expired, replaced or used link, and for a link with another purpose, is always the same.
 * @throws ProblemError 400 `reset-link-invalid`; 429; 503
 */
export async function invitationOf(
  runtime: Pick<Charter, 'settings' | 'database' | 'log' | 'view' | 'organizations'> & Clock,
  request: Request,
  token: string,
): Promise<InvitationAnswer> {
  const counted = await requireAttempt(runtime, attemptLimits.resetAddress, clientNetworkOf(request, runtime));
  const { link, account } = await linkOf(runtime, linkHash(token));
  if (!isInvitation(link, account) || !(await isInForce(runtime, link, account))) throw invalidLink(account.id);
  await counted.takeBack();
  return { ...(await invitedTo(runtime, account.id)), name: account.name, email: link.email };
}

/**
 * Whether the link is the link of an invitation that the person has not accepted. An account that has become active
 * without the link, for example by a sign-in with Google, keeps its state.
 */
export const isInvitation = ({ purpose }: AccountLink, { state }: Account): boolean =>
  purpose === 'invitation' && state === 'invited';

/**
 * Whether an organization of the account keeps the link in force. An organization invites a person with a mailed link,
 * so this link works only as long as the person is a member. The removal of a member deletes the link, but this
 * deletion may fail. Printed links, and links to active accounts, need no membership.
 */
export const isInForce = async (
  stores: Pick<Charter, 'log' | 'view' | 'organizations'>,
  link: AccountLink,
  { id, state }: Account,
): Promise<boolean> => state === 'active' || link.email === null || (await isMemberSomewhere(stores, id));

/**
 * The organization of the newest invitation that is still in force, and its inviter. Reads both from the account's
 * audit stream, so no table stores the inviter.
 */
async function invitedTo(
  runtime: Pick<Charter, 'database' | 'log' | 'organizations'>,
  account: string,
): Promise<Pick<InvitationAnswer, 'organization' | 'inviter'>> {
  const options = { from: 'end', direction: 'backwards', maxCount: EVENTS_MAX, absent: 'empty' } as const;
  for await (const event of runtime.log.readStream(accountStream(account), options)) {
    const id = invitingOrganization(event);
    if (id === undefined) continue;
    const { membership } = await accountMembershipIn(runtime, organizationStream(id), account);
    if (!membership) continue;
    const inviter = Inviter.safeParse(event.metadata).data?.actor.id;
    const name = inviter === undefined ? undefined : await memberName(runtime.database, id, inviter);
    return { organization: { id, name: shown(membership.name) }, inviter: name === undefined ? null : shown(name) };
  }
  return { organization: null, inviter: null };
}

/** The maximum number of events that a request reads. Refused sign-ins can follow the invitation in the stream. */
const EVENTS_MAX = 200;

const invitingOrganization = (event: StoredEvent): string | undefined =>
  event.type === 'Invited' ? Invited.safeParse(contentOf(event)?.data).data?.organization : undefined;
const Invited = z.object({ organization: z.uuid() });

/** The metadata of an event whose actor is a person, not an API key or the command line. */
const Inviter = z.object({ actor: z.object({ kind: z.literal('account'), id: z.uuid() }) });

const shown = (name: string): string => inSentence(oneLine(name));
