import { done } from '../../support/requests/organizations';
import type { Served } from '../../support/serving';
import { type Customer, customer, selling, stripeSends, teams } from '../sending';

const data = { reason: 'by mistake' };
const [close, reopen] = [
  { type: 'CloseOrganization', data },
  { type: 'ReopenOrganization', data },
];
const rename = { type: 'RenameOrganization', data: { name: 'Borg' } };

describe('Message about a closed organization', () => {
  let served: Served;
  let acme: Customer;
  beforeAll(async () => {
    served = await selling();
    acme = await customer(served);
    await done(served, acme.key, acme.organization, ['POST', '/close', { reason: 'over' }]);
  });
  afterAll(() => served.close());
  const stored = (id: string) => served.charter.database.inbox.find({ provider: 'stripe', id });

  it('is applied, and Charter then deletes its raw text', async () => {
    expect((await stripeSends(served, acme.deleted('evt_last', 900, [teams]))).body.outcome).toBe('applied');
    expect(await stored('evt_last')).toMatchObject({ state: 'applied', raw: null, fact: { id: 'evt_last' } });
  });

  it('keeps its raw text while it waits, until an operator dismisses it', async () => {
    const strange = { id: 'si_strange', product: 'prod_Unknown', price: 'price_Unknown' };
    await stripeSends(served, acme.updated('evt_strange', 60, 'active', [strange]));
    expect((await stored('evt_strange'))?.raw).not.toBeNull();
    const named = { provider: 'stripe', id: 'evt_strange' };
    await served.runtime.billing.dismiss(named, 'over', () => Promise.resolve());
    expect(await stored('evt_strange')).toMatchObject({ state: 'dismissed', raw: null });
  });

  it.each([
    ['after another change', [rename, close]],
    ['twice, and opens it between', [close, reopen, close]],
  ])('loses its raw text if one request closes the organization %s', async (_, commands) => {
    const borg = await customer(served);
    await stripeSends(served, borg.updated(`evt_${borg.organization}`, 60, 'active', [teams]));
    expect((await stored(`evt_${borg.organization}`))?.raw).not.toBeNull();
    await done(served, borg.key, borg.organization, ['POST', '/commands', { commands }]);
    expect(await stored(`evt_${borg.organization}`)).toMatchObject({ state: 'applied', raw: null });
  });

  it('keeps its raw text if the same request closes the organization and opens it again', async () => {
    const borg = await customer(served);
    await stripeSends(served, borg.updated('evt_kept', 60, 'active', [teams]));
    await done(served, borg.key, borg.organization, ['POST', '/commands', { commands: [close, reopen] }]);
    expect(await stored('evt_kept')).toMatchObject({ state: 'applied', raw: expect.stringContaining('evt_kept') });
  });
});
