import { createOutbox } from '../../apps/api/src/mail/outbox';
import { eventsOf, until } from '../support/serving';
import { type MailServer, mailServer } from '../support/sign-in/mail-server';
import { browser, person } from '../support/sign-in/people';
import { type Process, several, type Several } from '../support/network/processes';

/** A line of the printed sign-in data, such as `owner of Northwind   owner@northwind.example   1a2b3c-…`. */
const SIGN_IN = /^ +(?<about>\w.*?) +(?<email>\w+@[\w.]+) +(?<password>\w{6}(-\w{6}){3})$/gm;

let mails: MailServer;
let all: Several;
let both: readonly Process[];
beforeAll(async () => {
  mails = await mailServer({ plainOnly: true });
  all = await several({ CHARTER_DEMO: 'on', SMTP_URL: `${mails.url}?tls=off`, RATE_LIMITS: 'off' });
  both = await Promise.all([all.start(), all.start()]);
}, 120_000);
afterAll(async () => {
  await all.end();
  await mails.close();
}, 60_000);

describe('Two processes that start at once on empty stores', () => {
  it("create the demo's data once, in the store that both use", async () => {
    const events = await eventsOf(all, '');
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect([count('OrganizationFounded'), count('AccountCreated'), count('RoleAssigned')]).toEqual([4, 21, 2]);
    const stores = [];
    for await (const event of all.charter.log.readStream('charter-store')) stores.push(event);
    expect(stores).toHaveLength(1);
  });

  it('print the same people, who can sign in to both processes with the printed passwords', async () => {
    const printed = both.map((one) => [...one.output().matchAll(SIGN_IN)].map(({ groups }) => ({ ...groups })));
    expect(printed[0]!.map(({ email }) => email)).toEqual([
      ...['owner', 'admin', 'member'].map((name) => `${name}@northwind.example`),
      ...['auditor', 'operator'].map((name) => `${name}@charter.example`),
    ]);
    expect(printed[1]).toEqual(printed[0]);
    for (const one of both)
      for (const { email, password } of printed[0]!)
        expect([email, (await (await browser(one)).logIn(email!, password)).status]).toEqual([email, 204]);
  });

  it('print different API keys, which both processes accept', async () => {
    const keys = both.map((one) => /chk_[\w-]+/.exec(one.output())![0]);
    for (const one of both) {
      for (const key of keys) expect((await one.ask('GET', '/api/v1/organizations', { key })).status).toBe(200);
      expect((await one.ask('GET', '/login')).text).toContain('demo');
    }
    expect(new Set(keys).size).toBe(2);
  });

  it('send each mail once', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => person(all)));
    const { database } = all.charter;

    const outbox = createOutbox(database.mails, {
      settings: all.charter.settings,
      keyFor: all.charter.keyFor,
      present: database.now!,
      inviterName: () => Promise.resolve(undefined),
    });
    for (const { id, email } of people)
      await outbox.put({ kind: 'password-changed', to: email!, account: id, language: null });
    await until(() => mails.received.length >= people.length, 30_000);
    // within this time, second copies of the mails would arrive
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(mails.received.map(({ to }) => to[0]).toSorted()).toEqual(people.map(({ email }) => email!).toSorted());
  }, 60_000);
});
