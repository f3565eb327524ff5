import { randomUUID } from 'node:crypto';
import type { Account } from '@charter/identity';
import { serviceForSpecs } from '../support/requests/http-client';
import { done, founded, path } from '../support/requests/organizations';
import { keyId, type Served } from '../support/serving';
import { type Browser, PASSWORD, person, signedIn } from '../support/sign-in/people';
import { longPast } from './as-of/long-life';
import { expectReaders } from './readers-of';

let served: Served;
let key: string;
const ask = serviceForSpecs((...begun) => ([served, key] = begun));

const namesBy = async (by: Pick<Browser, 'send'>, id: string, ids: readonly string[]) => {
  const { status, body, text } = await by.send('POST', path(id, '/names'), { ids });
  if (status !== 200) throw new Error(text);
  return body['names'] as Record<string, { name: string | null; as: string; erased: boolean }>;
};
const byKey: Pick<Browser, 'send'> = { send: (method, at, body) => ask(method, at, { body }) };
/** Accepts the membership as this person. The other members then see the name. */
const accepted = async (account: Account, id: string) => {
  const page = await signedIn(served, account);
  expect((await page.send('POST', `/api/v1/me/organizations/${id}/accept`)).status).toBe(204);
  return page;
};
const member = (user: string, role = 'member') => ['POST', '/members', { user, role }] as const;

async function organization() {
  const id = await founded(served, { by: key });
  const [ada, ben] = [await person(served, { name: 'Ada Jansen' }), await person(served, { name: 'Ben Okafor' })];
  await done(
    served,
    key,
    id,
    ['PUT', '/plan', { line: 'second', plan: 'enterprise' }],
    member(ada.id, 'owner'),
    member(ben.id),
  );
  return { id, ada, ben, owner: await accepted(ada, id) };
}

describe('Names of a history', () => {
  it('contain the name of a member or former member only if the list of members shows or showed this name', async () => {
    const { id, ada, ben, owner } = await organization();
    const stranger = randomUUID();
    await done(served, key, id, member(stranger));
    const entry = (name: string | null, as: string) => ({ name, as, erased: false });
    expect(await namesBy(owner, id, [ada.id, ben.id, stranger])).toEqual({
      [ada.id]: entry('Ada Jansen', 'member'),
      [ben.id]: entry(null, 'member'), // Ben has not accepted the membership, so his name is hidden
      [stranger]: entry(null, 'member'),
    });
    await accepted(ben, id);
    await done(served, key, id, ['DELETE', `/members/${ben.id}`], ['DELETE', `/members/${stranger}`]);
    expect(await namesBy(owner, id, [ben.id, stranger])).toEqual({
      [ben.id]: entry('Ben Okafor', 'former-member'),
      [stranger]: entry(null, 'former-member'),
    });
    // Ben is added again by id. The list of members shows the name only after Ben has accepted.
    await done(served, key, id, member(ben.id));
    const { body } = await owner.get(path(id, '/members'));
    expect(
      (body['members'] as { user: string; name?: string }[]).find(({ user }) => user === ben.id),
    ).not.toHaveProperty('name');
  });

  it('contain no name of an erased person, but mark the person as erased', async () => {
    const { id, ben, owner } = await organization();
    const page = await accepted(ben, id);
    await done(served, key, id, ['DELETE', `/members/${ben.id}`]);
    expect((await namesBy(owner, id, [ben.id]))[ben.id]!.name).toBe('Ben Okafor');
    expect((await page.send('POST', '/api/v1/me/close', { password: PASSWORD })).status).toBe(200);
    expect(await namesBy(owner, id, [ben.id])).toEqual({ [ben.id]: { name: null, as: 'former-member', erased: true } });
  });

  it('show the names of operators and auditors only to operators and auditors, not to owners and API keys', async () => {
    const { id, owner } = await organization();
    const [otto, audrey] = [
      await person(served, { name: 'Otto Salo', role: 'operator' }),
      await person(served, { name: 'Audrey Virta', role: 'auditor' }),
    ];
    const operator = await signedIn(served, otto);
    expect((await operator.send('PATCH', path(id), { name: 'Acme & Sons' })).status).toBe(200);
    await done(served, key, id, member(audrey.id));
    const ids = [otto.id, audrey.id];
    const byRole = {
      [otto.id]: { name: null, as: 'operator', erased: false },
      [audrey.id]: { name: null, as: 'member', erased: false },
    };
    expect(await namesBy(owner, id, ids)).toEqual(byRole);
    expect(await namesBy(byKey, id, ids)).toEqual(byRole);
    for (const reader of [operator, await signedIn(served, audrey)])
      expect(await namesBy(reader, id, ids)).toEqual({
        [otto.id]: { ...byRole[otto.id], name: 'Otto Salo' },
        [audrey.id]: { ...byRole[audrey.id], name: 'Audrey Virta' },
      });

    const { accounts } = served.charter.database.people;
    await accounts.change(otto.id, (await accounts.byId(otto.id))!.version, { role: null });
    expect(await namesBy(owner, id, [otto.id])).toEqual({ [otto.id]: byRole[otto.id] });
  });

  it('contain the names of API keys that acted, but no entry for an id that this history does not contain', async () => {
    const { id, ada, owner } = await organization();
    const shop = await served.key({ name: 'the shop' });
    await done(served, shop, id, ['PATCH', '', { name: 'Acme Ltd' }]);
    const elsewhere = await person(served, { name: 'Eve Elsewhere' });
    const unused = await served.key({ name: 'unused' });
    const used = await keyId(served, shop);
    expect(
      await namesBy(owner, id, [used, elsewhere.id, await keyId(served, unused), 'stripe', '__proto__', randomUUID()]),
    ).toEqual({ [used]: { name: 'the shop', as: 'key', erased: false } });
    expect(Object.keys(await namesBy(owner, id, [ada.id.toUpperCase()]))).toEqual([ada.id]);
  });

  it('are complete in a long history, also for events after an earlier request', async () => {
    const { id, ben, owner } = await organization();
    await longPast(served.charter, id, 1_200);
    expect(Object.keys(await namesBy(owner, id, [ben.id]))).toEqual([ben.id]);
    const later = randomUUID();
    expect(await namesBy(owner, id, [later])).toEqual({});
    await done(served, key, id, member(later));
    expect(Object.keys(await namesBy(owner, id, [ben.id, later]))).toEqual([ben.id, later]);
  });

  it('can also be read for a closed organization', async () => {
    const { id, ada, owner } = await organization();
    await done(served, key, id, ['POST', '/close', { reason: 'moved' }]);
    expect((await namesBy(owner, id, [ada.id]))[ada.id]!.name).toBe('Ada Jansen');
  });

  it.each([
    ['no list', {}, 'ids'],
    ['an empty list', { ids: [] }, 'ids'],
    ['a list of 101 ids', { ids: Array.from({ length: 101 }, () => randomUUID()) }, 'ids'],
    ['an id that is a number', { ids: [7] }, 'ids.0'],
    ['an id with a line break', { ids: ['a\nb'] }, 'ids.0'],
    ['an id of 10,000 characters', { ids: ['a'.repeat(10_000)] }, 'ids.0'],
    ['another field', { ids: ['a'], q: 'ada' }, 'q'],
  ])('cannot be requested with %s: the answer is 400', async (_, body, field) => {
    const id = await founded(served, { by: key });
    const answer = await ask('POST', path(id, '/names'), { body });
    expect([answer.status, answer.body.type]).toEqual([400, '/problems/malformed']);
    expect((answer.body['errors'] as { path: string }[]).map(({ path: at }) => at)).toEqual([field]);
  });

  it('can be read by an owner and an auditor, not by a plain member or a stranger; Charter records the read', async () => {
    await expectReaders(served, key, ['POST', '/names', { ids: ['a'] }]);
    expect((await ask('POST', path(randomUUID(), '/names'), { body: { ids: ['a'] } })).status).toBe(404);
  });
});
