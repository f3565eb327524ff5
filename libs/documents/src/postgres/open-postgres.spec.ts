import type { Documents } from '../stores';
import { databases, type Place } from '../stores.testing';
import { someone } from '../people/people.testing';

describe.each(databases)('tables that several processes open in %s', (_, make) => {
  let place: Place;
  let here: Documents;
  let there: Documents;
  beforeAll(async () => {
    place = await make();
    [here, there] = await Promise.all([place.open(), place.open()]); // both make them
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await place.remove();
  });

  it('are the same tables', async () => {
    await here.marks.set('mode', 'demo');
    expect(await there.marks.get('mode')).toBe('demo');
    const ada = someone();
    expect(await here.people.accounts.insert(ada)).toBe('made');
    expect(await there.people.accounts.byId(ada.id)).toEqual(ada);
    expect((await there.people.accounts.list({ limit: 5 })).accounts).toEqual([ada]);
  });

  it('give a lease to one of them', async () => {
    expect([await here.lease('work').hold(), await there.lease('work').hold()]).toEqual([true, false]);
  });

  it('never fail over a character that cannot be kept', async () => {
    await here.marks.set('odd', 'a\0b\uD800c');
    expect(await there.marks.get('odd')).toMatch(/^a.b.c$/s);
    expect(await here.people.accounts.byUsername('ada\0')).toBeUndefined();
  });
});
