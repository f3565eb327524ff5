import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { lives, type LifeName } from '../orders/lives';
import { signed, webhookSecret } from './stripe-messages';

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const fileOf = (name: LifeName) => join(__dirname, 'recorded', `${kebab(name)}.json`);
const names = Object.keys(lives) as LifeName[];

/** `RECORD=1` writes the files anew, after `lives.ts` was changed. */
if (process.env['RECORD'] === '1')
  for (const name of names) writeFileSync(fileOf(name), `${JSON.stringify(lives[name], null, 2)}\n`);

describe("the recorded messages of Stripe's", () => {
  it.each(names)('%s are what the builder makes, which holds them to the types of the package', (name) => {
    expect(JSON.parse(readFileSync(fileOf(name), 'utf8'))).toEqual(JSON.parse(JSON.stringify(lives[name])));
  });

  it.each(names)('%s are signed so that the package itself takes them', (name) => {
    for (const event of lives[name]) {
      const { body, headers } = signed(event);
      const taken = Stripe.webhooks.constructEvent(body, headers['stripe-signature'], webhookSecret);
      expect(taken.id).toBe(event.id);
      expect(() => Stripe.webhooks.constructEvent(`${body} `, headers['stripe-signature'], webhookSecret)).toThrow();
    }
  });
});
