import { linkHash } from '@charter/identity';
import { CommandLine } from './command-line';

let charter: CommandLine;
beforeEach(() => {
  charter = new CommandLine();
});
afterEach(() => charter.remove());

const program = '7d6f0f5e-1111-4222-8333-abcdefabcdef';

describe('The members of an organization', () => {
  it('are added by address or id, get another role, and are removed', async () => {
    const id = await charter.found('Acme', 'teams');
    const created = await charter.json('accounts', 'create', '--email', 'ada@example.com');
    const ada: string = created.answer.id;
    expect((await charter.json('members', 'add', id, 'ada@example.com', 'owner')).answer).toEqual({
      ...{ id: ada, revision: 2 },
      events: [{ type: 'MemberAdded', data: { member: ada, role: 'owner' } }],
    });
    expect((await charter.json('members', 'add', id, program, 'member')).answer.revision).toBe(3);
    expect((await charter.run(['members', 'add', id, program, 'member'])).stdout).toMatch(/Nothing was written/);
    expect((await charter.json('members', 'role', id, program, 'admin')).answer.events).toMatchObject([
      { type: 'MemberRoleChanged', data: { role: 'admin' } },
    ]);
    const { members } = (await charter.json('members', 'list', id)).answer;
    expect(members).toMatchObject([
      { user: ada, role: 'owner', email: 'ada@example.com', since: { event: 2 } },
      { user: program, role: 'admin', email: null, since: { event: 3 } },
    ]);
    expect((await charter.run(['members', 'list', id])).stdout).toMatch(/^ada@example\.com +owner +20/m);
    expect((await charter.json('members', 'remove', id, 'ada@example.com')).answer.type).toBe('/problems/last-owner');
    expect((await charter.json('members', 'remove', id, program)).answer.events).toMatchObject([
      { type: 'MemberRemoved' },
    ]);
  }, 60_000);

  it('show their address to the other members only if the command named the address', async () => {
    const id = await charter.found('Acme', 'teams');
    const [ada, bob] = await Promise.all(
      ['ada@example.com', 'bob@example.com'].map(async (email) => {
        const { answer } = await charter.json('accounts', 'create', '--email', email);
        return answer.id as string;
      }),
    );
    await charter.run(['members', 'add', id, 'ada@example.com', 'member']);
    await charter.run(['members', 'add', id, bob!, 'member']);
    const introduced = () => charter.inside(({ database: { people } }) => people.introductions.among(id, [ada!, bob!]));
    expect([...(await introduced())]).toEqual([ada]);
    await charter.run(['members', 'remove', id, ada!]);
    expect([...(await introduced())]).toEqual([]);
  }, 60_000);

  it('lose the link of their invitation with their last membership', async () => {
    const id = await charter.found('Acme', 'teams');
    const { answer } = await charter.json('accounts', 'create', '--email', 'ada@example.com');
    const hash = linkHash(answer.link.split('/').at(-1));
    const link = () => charter.inside(({ database: { people } }) => people.links.find(hash));
    await charter.run(['members', 'add', id, 'ada@example.com', 'member']);
    expect(await link()).toMatchObject({ account: answer.id });
    await charter.run(['members', 'remove', id, 'ada@example.com']);
    expect(await link()).toBeUndefined();
  }, 60_000);

  it('cannot be named by an unknown address, and never exceed the limit of users', async () => {
    const id = await charter.found('Acme', 'solo');
    const unknown = await charter.json('members', 'add', id, 'eve@example.com', 'member');
    expect([unknown.code, unknown.answer.type]).toEqual([1, '/problems/no-such-account']);
    expect(unknown.answer.detail).toMatch('Run charter accounts list or charter accounts create.');
    await charter.run(['members', 'add', id, program, 'member']);
    const second = await charter.json('members', 'add', id, program.replace('7', '8'), 'member');
    expect([second.code, second.answer.type]).toEqual([1, '/problems/limit-exceeded']);
    expect((await charter.run(['members', 'add', id, program, 'king'])).code).toBe(2);
  }, 60_000);
});

describe('The add-ons of an organization', () => {
  it('are purchased, change their quantity, and are cancelled', async () => {
    const id = await charter.found('Acme', 'solo');
    const bought = await charter.json('add-ons', 'purchase', id, 'additionalUser', '--quantity', '3');
    const purchase: string = bought.answer.id;
    expect(bought.answer.events).toMatchObject([{ type: 'AddOnPurchased', data: { purchase, quantity: 3 } }]);
    expect((await charter.json('add-ons', 'quantity', id, purchase, '5')).answer.events).toMatchObject([
      { data: { purchase, quantity: 5 } },
    ]);
    expect((await charter.json('add-ons', 'list', id)).answer).toEqual({
      addOns: [
        { purchase, addOn: 'additionalUser', quantity: 5, since: { event: 3, at: expect.any(String) as string } },
      ],
    });
    expect((await charter.run(['add-ons', 'list', id])).stdout).toMatch(/^additionalUser +5 +20/m);
    await charter.run(['add-ons', 'cancel', id, purchase]);
    expect((await charter.run(['add-ons', 'list', id])).stdout).toBe('No add-on is in force.\n');
    expect((await charter.run(['add-ons', 'cancel', id, purchase])).stdout).toMatch(/is cancelled already/);
  }, 60_000);

  it('are refused with the names of all add-ons for sale, if the name is unknown', async () => {
    const id = await charter.found('Acme', 'solo');
    const { code, answer } = await charter.json('add-ons', 'purchase', id, 'yacht');
    expect([code, answer.type]).toEqual([1, '/problems/unknown-add-on']);
    expect(answer.known).toContain('additionalUser');
    expect((await charter.run(['add-ons', 'purchase', id, 'additionalUser', '--quantity', '0'])).code).toBe(2);
  }, 60_000);
});

describe('The plan of a product line', () => {
  it('ends once', async () => {
    const id = await charter.found('Acme', 'solo');
    expect((await charter.json('plan', 'end', id, 'second')).answer.events).toMatchObject([
      { type: 'PlanEnded', data: { line: 'second', plan: 'solo' } },
    ]);
    expect((await charter.run(['plan', 'end', id, 'second'])).stdout).toMatch(/^The organization has no plan/);
    expect((await charter.run(['plan', 'end', id, 'third'])).code).toBe(2);
  }, 60_000);
});

it.each([
  ['members list', ['members', 'list', program]],
  ['members add', ['members', 'add', program, program, 'member']],
  ['add-ons list', ['add-ons', 'list', program]],
  ['add-ons purchase', ['add-ons', 'purchase', program, 'additionalUser']],
  ['plan end', ['plan', 'end', program, 'second']],
])('`%s` refuses an organization that does not exist', async (_name, args) => {
  await charter.found('Acme');
  const { code, answer } = await charter.json(...args);
  expect([code, answer.type]).toEqual([1, '/problems/no-such-organization']);
});
