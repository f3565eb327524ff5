import { DatabaseUnavailable } from '@charter/database';
import { randomUUID } from 'node:crypto';
import { done, founded, path } from '../../support/requests/organizations';
import type { Stores } from '../../support/serving';
import { person, signedIn } from '../../support/sign-in/people';
import { withFaults } from '../../support/stores/faults';
import { selling } from '../sending';
import {
  billingService,
  billingServiceForSpecs,
  organizationWithBuyer,
  type OrganizationWithBuyer,
  solo,
  soloItem,
  users,
  usersItem,
} from './checkout-service';

const service = billingServiceForSpecs();
let acme: OrganizationWithBuyer;
beforeAll(async () => {
  acme = await organizationWithBuyer(service);
});

const teams = { type: 'AssignPlan', data: { line: 'second', plan: 'teams' } };
const renamed = { type: 'RenameOrganization', data: { name: 'Acme Ltd' } };
const unknown = { type: 'AssignPlan', data: { line: 'second', plan: 'none' } };

describe('The field `notSold` of a preview, for an owner who may start a checkout,', () => {
  it('contains no command if a checkout can sell all commands', async () => {
    const { body } = await acme.preview([solo, users(2)], randomUUID());
    expect(body.notSold).toEqual([]);
  });

  it('contains each command that the checkout then refuses, with the same reason', async () => {
    const there = await organizationWithBuyer(service);
    const { body } = await there.buy(solo, users(1));
    await there.pay(body.id as string).created([soloItem, usersItem(1)]);
    const commands = [teams, users(2), renamed];
    const preview = await there.preview(commands, randomUUID());
    expect(preview.body.notSold).toEqual([
      { index: 0, why: 'paid-already' },
      { index: 1, why: 'paid-already' },
      { index: 2, why: 'not-by-checkout' },
    ]);
    expect((await there.buy(...commands)).body.items).toEqual(preview.body.notSold);
  });

  it('contains an add-on that an operator has cancelled but for which the provider still charges', async () => {
    const there = await organizationWithBuyer(service);
    const { body } = await there.buy(users(1));
    await there.pay(body.id as string).created([usersItem(1)]);
    const { addOns } = await there.document();
    await done(service.served, there.key, there.id, ['DELETE', `/add-ons/${addOns[0].purchase}`]);
    expect((await there.preview([users(2)], randomUUID())).body.notSold).toEqual([{ index: 0, why: 'paid-already' }]);
  });

  it('is absent if the domain refuses a command, because no checkout could start', async () => {
    const { status, body } = await acme.owner.send('POST', `${path(acme.id, '/preview')}?lenient=true`, {
      commands: [renamed, unknown],
    });
    expect([status, body.refused.index, body.notSold]).toEqual([200, 1, undefined]);
  });

  it('is absent at a past revision, because Charter sells nothing in the past', async () => {
    const { status, body } = await acme.owner.send('POST', `${path(acme.id, '/preview')}?asOf=1`, {
      commands: [renamed],
    });
    expect([status, body.notSold]).toEqual([200, undefined]);
  });
});

describe('A preview without the field `notSold`', () => {
  it("is the answer while Charter cannot read the provider's messages, because a preview needs only the event log", async () => {
    let isBroken = false;
    const inboxFails = ({ catalogue, log, database }: Stores): Stores => {
      const { inbox } = database;
      const ofOrganization: typeof inbox.ofOrganization = (id) =>
        isBroken ? Promise.reject(new DatabaseUnavailable('no table')) : inbox.ofOrganization(id);
      return { catalogue, log, database: { ...database, inbox: withFaults(inbox, { ofOrganization }) } };
    };
    const broken = await billingService({ between: inboxFails });
    const there = await organizationWithBuyer(broken);
    const commands = [solo, users(2)];
    const { body: whole } = await there.preview(commands, randomUUID());
    isBroken = true;
    const { status, body } = await there.preview(commands, randomUUID());
    expect(whole.notSold).toEqual([]);
    expect([status, body.notSold, body.events.length]).toEqual([200, undefined, 2]);
    expect((await there.start(commands, whole.shown as string)).status).toBe(503);
    await broken.close();
  });

  it.each(['an administrator', 'an operator'])('is the answer for %s, who cannot start a checkout', async (who) => {
    const { served } = service;
    const account = await person(served, who === 'an operator' ? { role: 'operator' } : {});
    if (who !== 'an operator')
      await acme.owner.send('POST', path(acme.id, '/members'), { user: account.id, role: 'admin' });
    const by = await signedIn(served, account);
    const { status, body } = await acme.preview([renamed], randomUUID(), by);
    expect([status, body.notSold]).toEqual([200, undefined]);
  });

  it('is the answer for an API key, and for an owner if Charter runs without a payment provider', async () => {
    const { served } = service;
    const ofKey = await served.ask('POST', path(acme.id, '/preview'), { key: acme.key, body: { commands: [renamed] } });
    expect([ofKey.status, ofKey.body.notSold]).toEqual([200, undefined]);
    const withoutProvider = await selling();
    const [key, account] = [await withoutProvider.key(), await person(withoutProvider)];
    const id = await founded(withoutProvider, { by: key, owner: account.id });
    const owner = await signedIn(withoutProvider, account);
    const { status, body } = await owner.send('POST', path(id, '/preview'), { commands: [renamed] });
    expect([status, body.notSold]).toEqual([200, undefined]);
    await withoutProvider.close();
  });
});
