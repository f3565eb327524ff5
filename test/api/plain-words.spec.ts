import { randomUUID } from 'node:crypto';
import { founded, path } from '../support/requests/organizations';
import { type Served, serving } from '../support/serving';

let served: Served;
let key: string;
let id: string;
beforeAll(async () => {
  served = await serving();
  key = await served.key();
  id = await founded(served, { by: key, name: 'Acme' });
});
afterAll(() => served.close());

const UUID = 'must be a UUID such as 0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11';
const member = { user: randomUUID(), role: 'member' };

describe('A problem about a wrong value says in plain words', () => {
  it.each([
    ['POST', '/members', { ...member, user: 'abc' }, 'user', UUID],
    ['POST', '/members', { ...member, user: 7 }, 'user', 'must be text'],
    ['POST', '/members', { ...member, role: 'boss' }, 'role', 'must be one of: owner, admin, member'],
    ['POST', '/members', { ...member, more: 1 }, 'more', 'is not known here'],
    ['POST', '/members', { user: member.user }, 'role', 'is missing'],
    ['POST', '/sites', { hostname: 'shop.example:8080' }, 'hostname', 'must not contain a port or ":"'],
    ['POST', '/traffic', { month: '2026-13', views: 1 }, 'month', 'must be a month such as 2026-11'],
    ['POST', '/traffic', { month: '2026-11', views: 1.5 }, 'views', 'must be a whole number'],
    ['POST', '/add-ons', { addOn: 'additionalUser', quantity: '3' }, 'quantity', 'must be a number, not text'],
    ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 0 }, 'quantity', 'must be at least 1'],
    ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 10_001 }, 'quantity', 'must be at most 10000'],
    ['POST', '/add-ons', { addOn: ' ' }, 'addOn', 'must not be blank'],
    ['POST', '/add-ons', { addOn: 'x'.repeat(101) }, 'addOn', 'must have at most 100 characters'],
    ['PUT', '/product', { enabled: 'yes' }, 'enabled', 'must be true or false'],
    ['POST', '/commands', { commands: {} }, 'commands', 'must be a list'],
    ['POST', '/commands', { commands: [] }, 'commands', 'must not be empty'],
    [
      'PUT',
      '/single-sign-on',
      { issuer: 'x', clientId: 'a', clientSecret: 'b' },
      'issuer',
      'must be an address such as https://example.com',
    ],
  ])('which rule it breaks: %s %s %j', async (method, at, body, field, message) => {
    const answer = await served.ask(method, path(id, at), { key, body });
    expect([answer.status, answer.body.errors]).toEqual([400, [expect.objectContaining({ path: field })]]);
    expect(answer.body.errors[0].message).toBe(message);
  });

  it('which part of the address is no id', async () => {
    const answer = await served.ask('GET', '/api/v1/organizations/123', { key });
    expect(answer.body).toMatchObject({ status: 400, detail: `id: ${UUID}` });
  });
});
