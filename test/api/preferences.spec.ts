import { eventsOf, type Served, serving } from '../support/serving';
import { PASSWORD, person, signedIn } from '../support/sign-in/people';

let served: Served;
beforeAll(async () => {
  served = await serving();
});
afterAll(() => served.close());

const ME = '/api/v1/me';
const asPerson = async () => {
  const ada = await person(served);
  return { ada, page: await signedIn(served, ada) };
};
const unset = { language: null, timeZone: null, keys: null };
const chosen = { language: 'fi', timeZone: 'Europe/Helsinki', keys: false };

describe('The preferences of an account', () => {
  it('are unset at first, are changed one by one, and are unset again by null', async () => {
    const { page } = await asPerson();
    expect((await page.get(ME)).body).toMatchObject(unset);
    expect(await page.send('PATCH', ME, chosen)).toMatchObject({ status: 200, body: chosen });
    expect((await page.send('PATCH', ME, { keys: true })).body).toMatchObject({ ...chosen, keys: true });
    expect((await page.send('PATCH', ME, { timeZone: null, language: null })).body).toMatchObject({
      ...unset,
      keys: true,
    });
    expect((await page.get(ME)).body).toMatchObject({ ...unset, keys: true });
  });

  it('are not in any event, and do not change the version of the account', async () => {
    const { ada, page } = await asPerson();
    const before = await eventsOf(served, 'account-');
    await page.send('PATCH', ME, chosen);
    expect(await eventsOf(served, 'account-')).toHaveLength(before.length);
    expect((await served.charter.database.people.accounts.byId(ada.id))!.version).toBe(ada.version);
    expect((await page.send('PATCH', ME, { ...chosen, name: 'Ada Byron' })).body).toMatchObject({
      ...chosen,
      name: 'Ada Byron',
    });
  });

  it.each([
    [{ language: 'sv' }, 'language'],
    [{ language: '' }, 'language'],
    [{ language: 7 }, 'language'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ timeZone: '+03:00' }, 'timeZone'],
    [{ timeZone: '' }, 'timeZone'],
    [{ timeZone: 'A'.repeat(10_000) }, 'timeZone'],
    [{ keys: 'on' }, 'keys'],
    [{ colour: 'dark' }, 'colour'],
    [{}, ''],
  ])('do not change with the request %j, which gets 400', async (body, field) => {
    const { page } = await asPerson();
    const answer = await page.send('PATCH', ME, body);
    expect([answer.status, answer.body.type]).toEqual([400, '/problems/malformed']);
    expect(JSON.stringify(answer.body.errors)).toContain(`"path":"${field}`);
    expect((await page.get(ME)).body).toMatchObject(unset);
  });

  it.each(['UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3'])(
    'can contain the time zone %s',
    async (timeZone) => {
      const { page } = await asPerson();
      expect((await page.send('PATCH', ME, { timeZone })).body).toMatchObject({ timeZone });
    },
  );

  it("are in the export of the person's data, and are erased with the account", async () => {
    const { ada, page } = await asPerson();
    await page.send('PATCH', ME, chosen);
    expect((await page.get(`${ME}/export`)).body).toMatchObject({ account: chosen });
    expect((await page.send('POST', `${ME}/close`, { password: PASSWORD })).status).toBe(200);
    expect(await served.charter.database.people.accounts.byId(ada.id)).toMatchObject({
      ...{ state: 'erased', language: null, timeZone: null, singleKeys: null },
    });
  });

  it('cannot be changed with an API key', async () => {
    expect((await served.ask('PATCH', ME, { key: await served.key(), body: chosen })).status).toBe(403);
  });
});
