import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { histories, type HistoryName } from '../orders/histories';
import { signed, webhookSecret } from './stripe-messages';

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const fileOf = (name: HistoryName) => join(__dirname, 'recorded', `${kebab(name)}.json`);
const names = Object.keys(histories) as HistoryName[];

/** After a change of `histories.ts`, run this spec with `RECORD=1` to write the files again. */
if (process.env['RECORD'] === '1')
  for (const name of names) writeFileSync(fileOf(name), `${JSON.stringify(histories[name], null, 2)}\n`);

describe('Recorded messages of Stripe', () => {
  it.each(names)('%s are the same as the messages that `histories.ts` builds', (name) => {
    expect(JSON.parse(readFileSync(fileOf(name), 'utf8'))).toEqual(JSON.parse(JSON.stringify(histories[name])));
  });

  it.each(names)("%s have signatures that Stripe's package accepts", (name) => {
    for (const event of histories[name]) {
      const { body, headers } = signed(event);
      const taken = Stripe.webhooks.constructEvent(body, headers['stripe-signature'], webhookSecret);
      expect(taken.id).toBe(event.id);
      expect(() => Stripe.webhooks.constructEvent(`${body} `, headers['stripe-signature'], webhookSecret)).toThrow();
    }
  });
});
