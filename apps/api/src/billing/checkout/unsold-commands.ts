import type { Charter, CommandPreview } from '@charter/application';
import { type BillingFact, checkoutItems, isBuying, type NotSold } from '@charter/billing';
import type { Actor } from '@charter/decider';
import type { Envelope } from '@charter/event-log';
import { actorRolesOf, buyers, hasAnyRole, type Organization, type OrganizationCommand } from '@charter/organization';
import type { Background } from '../../process/parts/background';

type Runtime = Pick<Charter, 'catalogue' | 'database'> & Pick<Background, 'billing'>;
type Previewed = Readonly<{ id: string; commands: readonly OrganizationCommand[]; context: Envelope }>;

/** Whether the caller may start a checkout for this organization. */
export const mayStartCheckout = ({ billing }: Pick<Background, 'billing'>, organization: Organization, actor: Actor) =>
  organization.closed === null &&
  billing.stripe?.checkout !== undefined &&
  hasAnyRole(buyers, actorRolesOf(actor, organization));

/**
 * The facts of the payment provider's messages. With the facts, a preview finds the commands that a checkout cannot
 * sell. Undefined if the tables do not answer; the preview then names no unsold commands. All other parts of the
 * preview need only the event log.
 */
export async function factsForPreview(
  { billing, database }: Pick<Runtime, 'billing' | 'database'>,
  { id, commands, context }: Previewed,
): Promise<readonly BillingFact[] | undefined> {
  // Only the preview of a purchase by a person needs the messages.
  const mightBuy = billing.stripe?.checkout !== undefined && context.actor.kind === 'account';
  if (!mightBuy || !commands.some(isBuying)) return [];
  const messages = await database.inbox.ofOrganization<BillingFact>(id).catch(() => undefined);
  return messages?.map(({ fact }) => fact);
}

/**
 * Finds the commands of a preview that a checkout cannot sell, so that the page names them before the person pays.
 * Undefined if the caller cannot start a checkout, or if the preview contains a refused command.
 */
export function unsoldCommands(
  runtime: Pick<Runtime, 'billing' | 'catalogue'>,
  { id, commands, context }: Previewed,
  organization: Organization,
  { events, refused }: CommandPreview,
  facts: readonly BillingFact[],
): readonly NotSold[] | undefined {
  if (refused.length > 0 || !mayStartCheckout(runtime, organization, context.actor)) return undefined;
  const changing = new Set(events.map(({ command }) => command));
  return checkoutItems(commands, { id, organization, facts, at: context.at }, runtime.catalogue, changing).notSold;
}
