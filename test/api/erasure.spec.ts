import { randomUUID } from 'node:crypto';
import { founded, path } from '../support/requests/organizations';
import { type Browser, PASSWORD, person, signedIn } from '../support/sign-in/people';
import { paused, resumed, type Served, serving, settled } from '../support/serving';

let served: Served;
let key: string;
let operator: Browser;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
  key = await served.key();
  operator = await signedIn(served, await person(served, { role: 'operator' }));
});
afterAll(() => served.close());

const founding = (name: string, owner: string) => founded(served, { by: key, name, owner });
const add = (id: string, user: string, role: string) =>
  served.ask('POST', path(id, '/members'), { key, body: { user, role } });
const close = (here: Browser) => here.send('POST', '/api/v1/me/close', { password: PASSWORD });
const erase = (id: string) => operator.send('POST', `/api/v1/accounts/${id}/erase`, { password: PASSWORD });
const membersOf = async (id: string): Promise<string[]> =>
  (await served.ask('GET', path(id, '/members?limit=100'), { key })).body.members.map(
    ({ user }: { user: string }) => user,
  );
const stateOf = async (id: string) => (await served.charter.database.people.accounts.byId(id))?.state;

describe('Last owner of an organization', () => {
  it('cannot close their account, even while the read model is paused', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    await settled(served);
    await paused(served);
    const id = await founding('Acme', ada.id);
    const refused = await close(here);
    await resumed(served);
    expect([refused.status, refused.body.type, refused.body.organizations]).toEqual([
      409,
      '/problems/last-owner',
      [{ id, name: 'Acme' }],
    ]);
    expect(await stateOf(ada.id)).toBe('active');
  });

  it('cannot close their account, even if they belong to more organizations than one page of a list contains', async () => {
    const ada = await person(served);
    for (let made = 0; made < 101; made += 1) await add(await founding(`A ${made}`, randomUUID()), ada.id, 'member');
    const id = await founding('Zebra', ada.id);
    await settled(served);
    const refused = await close(await signedIn(served, ada));
    expect([refused.status, refused.body.organizations]).toEqual([409, [{ id, name: 'Zebra' }]]);
  });

  it('is never lost: if both owners close their accounts at the same time, Charter closes only one account', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [ada, eve] = [await person(served), await person(served)];
      const id = await founding('Acme', ada.id);
      await add(id, eve.id, 'owner');
      const browsers = [await signedIn(served, ada), await signedIn(served, eve)];
      const answers = await Promise.all(browsers.map(close));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(answers.find(({ status }) => status === 409)!.body.organizations).toEqual([{ id, name: 'Acme' }]);
      const [left] = await membersOf(id);
      expect([left && (await stateOf(left)), await membersOf(id)]).toEqual(['active', [left]]);
    }
  });

  it('cannot be erased by an operator until the organization is closed or has another owner', async () => {
    const ada = await person(served);
    const id = await founding('Acme', ada.id);
    const refused = await erase(ada.id);
    expect([refused.status, refused.body.type, refused.body.organizations]).toEqual([
      409,
      '/problems/last-owner',
      [{ id, name: 'Acme' }],
    ]);
    expect(await stateOf(ada.id)).toBe('active');
    await served.ask('POST', path(id, '/close'), { key, body: { reason: 'moved away' } });
    expect((await erase(ada.id)).status).toBe(200);
    expect(await stateOf(ada.id)).toBe('erased');
  });
});

describe('Erased person', () => {
  it('is no longer a member of any open organization; a closed organization keeps the id of the person', async () => {
    const ada = await person(served);
    const [open, closed] = [await founding('Open', randomUUID()), await founding('Closed', randomUUID())];
    for (const id of [open, closed]) await add(id, ada.id, 'member');
    await served.ask('POST', path(closed, '/close'), { key, body: { reason: 'moved away' } });
    expect((await erase(ada.id)).status).toBe(200);
    expect(await membersOf(open)).not.toContain(ada.id);
    const { body } = await served.ask('GET', path(closed, '/members'), { key });
    expect(body.members).toContainEqual(expect.objectContaining({ user: ada.id, role: 'member', erased: true }));
    const { events } = await lastOf(open);
    expect(events).toEqual(['MemberRemoved', 'account']);
  });
});

async function lastOf(id: string) {
  const all = [];
  for await (const event of served.charter.log.readStream(`organization-${id}`)) all.push(event);
  const { type, metadata } = all.at(-1)!;
  return { events: [type, (metadata as { actor: { kind: string } }).actor.kind] };
}
