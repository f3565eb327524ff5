import { randomUUID } from 'node:crypto';
import type { Charter } from '@charter/application';
import { organizationStream, purchasesInForce } from '@charter/organization';
import type { Command } from 'commander';
import type { ActionRunner } from '../terminal/action-runner';
import { organizationId, parseQuantity, providerId } from '../terminal/argument-values';
import type { CommandAnswer } from '../terminal/command-answer';
import { table } from '../terminal/table';
import { executeOnOrganization } from './execute-on-organization';
import { refuseUnknownOrganization } from './unknown-organization';

type Bought = Readonly<{ quantity: number; purchase?: string }>;

export function addAddOns(program: Command, { withStores }: ActionRunner): void {
  const addOns = program.command('add-ons').description('the add-ons of an organization');
  const word = (name: string, description: string) =>
    addOns.command(name).description(description).argument('<ID>', 'the organization', organizationId);
  const purchase = ['<PURCHASE>', 'the id of the purchase, as `add-ons list` prints it', providerId] as const;

  word('list', 'list the add-ons in force with the ids of their purchases').action((id: string) =>
    withStores((charter) => list(charter, id)),
  );
  word('purchase', 'purchase an add-on')
    .argument('<ADD-ON>', 'the add-on, such as additionalUser')
    .option('--quantity <n>', 'the number of units', parseQuantity, 1)
    .option('--purchase <id>', 'the id of the purchase, for example of the payment; a new id by default', providerId)
    .action((id: string, addOn: string, bought: Bought) => withStores((charter) => buy(charter, id, addOn, bought)));
  word('quantity', 'change the quantity of a purchase')
    .argument(...purchase)
    .argument('<N>', 'the new total', parseQuantity)
    .action((id: string, of: string, quantity: number) => withStores((charter) => change(charter, id, of, quantity)));
  word('cancel', 'cancel all units of a purchase')
    .argument(...purchase)
    .action((id: string, of: string) => withStores((charter) => cancel(charter, id, of)));
}

/** Reads the purchases from the stream, because the read model may lag. */
async function list({ organizations }: Charter, id: string): Promise<CommandAnswer> {
  const addOns = await organizations.query(organizationStream(id), ({ state }) =>
    state.name === ''
      ? refuseUnknownOrganization(id)
      : purchasesInForce(state).map(({ purchase, addOn, quantity, event, at }) => ({
          ...{ purchase, addOn, quantity },
          since: { event, at },
        })),
  );
  const rows = addOns.map(({ addOn, quantity, since, purchase }) => [addOn, String(quantity), since.at, purchase]);
  const text = rows.length > 0 ? table(['ADD-ON', 'QUANTITY', 'SINCE', 'PURCHASE'], rows) : 'No add-on is in force.';
  return { text, json: { addOns } };
}

const buy = (charter: Charter, id: string, addOn: string, { quantity, purchase = randomUUID() }: Bought) =>
  executeOnOrganization(
    charter,
    id,
    { type: 'PurchaseAddOn', data: { addOn, quantity, purchase } },
    {
      done: `${quantity} x ${addOn} is purchased. The id of the purchase is ${purchase}.`,
      unchanged: `The purchase ${purchase} exists already.`,
    },
    purchase,
  );

const change = (charter: Charter, id: string, purchase: string, quantity: number) =>
  executeOnOrganization(
    charter,
    id,
    { type: 'ChangeQuantity', data: { purchase, quantity } },
    {
      done: `The purchase ${purchase} has the quantity ${quantity}.`,
      unchanged: `The purchase ${purchase} already has the quantity ${quantity}.`,
    },
  );

const cancel = (charter: Charter, id: string, purchase: string) =>
  executeOnOrganization(
    charter,
    id,
    { type: 'CancelAddOn', data: { purchase } },
    { done: `The purchase ${purchase} is cancelled.`, unchanged: `The purchase ${purchase} is cancelled already.` },
  );
