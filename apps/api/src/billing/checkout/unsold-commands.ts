import type { Charter, CommandPreview } from '@charter/application';
import { type BillingFact, checkoutItems, isBuying, type NotSold } from '@charter/billing';
import type { Actor } from '@charter/decider';
import type { Envelope } from '@charter/event-log';
import {
  actorRolesOf,
  buyers,
  hasAnyRole,
  type Organization,
  type OrganizationCommand,
  organizationStream,
} from '@charter/organization';
import { orUnavailable } from '../../http/problems/problem';
import type { Background } from '../../process/parts/background';

type Runtime = Pick<Charter, 'organizations' | 'catalogue' | 'database'> & Pick<Background, 'billing'>;
type Previewed = Readonly<{ id: string; commands: readonly OrganizationCommand[]; context: Envelope }>;

/** Whether the caller may start a checkout for this organization. */
export const mayStartCheckout = ({ billing }: Pick<Background, 'billing'>, organization: Organization, actor: Actor) =>
  organization.closed === null &&
  billing.stripe?.checkout !== undefined &&
  hasAnyRole(buyers, actorRolesOf(actor, organization));

/**
 * Finds the commands of a preview that a checkout cannot sell, so that the page names them before the person pays.
 * Undefined if the caller cannot start a checkout, or if the preview contains a refused command.
 */
export async function unsoldCommands(
  runtime: Runtime,
  { id, commands, context }: Previewed,
  { events, refused }: CommandPreview,
): Promise<readonly NotSold[] | undefined> {
  const stream = organizationStream(id);
  const mayBuy = await runtime.organizations.query(stream, ({ state }) =>
    mayStartCheckout(runtime, state, context.actor),
  );
  if (!mayBuy || refused.length > 0) return undefined;
  // Only a preview that buys something needs the messages of the payment provider.
  const messages = commands.some(isBuying)
    ? await orUnavailable(runtime.database.inbox.ofOrganization<BillingFact>(id))
    : [];
  const facts = messages.map(({ fact }) => fact);
  const changing = new Set(events.map(({ command }) => command));
  return runtime.organizations.query(
    stream,
    ({ state: organization }) =>
      checkoutItems(commands, { id, organization, facts, at: context.at }, runtime.catalogue, changing).notSold,
  );
}
