import { call } from '../../journeys/browser/page-actions';
import { eventually } from '../../journeys/browser/eventually';
import { staged } from '../../journeys/browser/stage';
import { violationsOn } from '../../journeys/browser/violations';
import { member, rename, site, organizationOnTeams } from '../../journeys/recorded';
import {
  commitButton,
  committed,
  expectBack,
  expectStop,
  PASSWORD,
  pressed,
  query,
  seen,
  signedIn,
  tabTo,
  typed,
} from '../../journeys/browser/stops';

const stage = staged();
const [OLGA, BEN] = ['olga@mill.example', 'ben@mill.example'];
let olga: string;
let ben: string;

beforeAll(async () => {
  const { settle } = stage.service;
  [olga, ben] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: BEN, name: 'Ben Okafor', password: PASSWORD }),
  ]);
}, 60_000);

describe('Make it as it was here…', () => {
  it('restores the chosen parts of a past moment by keyboard, as one commit, and leaves the other parts as they are', async () => {
    const added = site('mill.example');
    const { site: shop } = added.data as { site: string };
    const id = await organizationOnTeams(
      stage.service.charter,
      olga,
      ...[member(ben), rename('Old Mill'), added, rename('New Mill')], // #3 to #6
      { type: 'RemoveMember', data: { member: ben } }, // #7
      { type: 'RemoveSite', data: { site: shop } }, // #8
    );
    const visit = await signedIn(stage, OLGA, `/org/${id}/overview`);
    const { page } = visit;
    await page.getByRole('heading', { level: 1, name: 'New Mill' }).waitFor();
    await expectStop(visit);
    await typed(page, '#5');
    await page.getByRole('heading', { level: 1, name: /^Old Mill/ }).waitFor();
    expect(query(page)).toBe('?asOf=5');
    await expectStop(visit);

    const here = page.getByRole('link', { name: 'Make it as it was here…' });
    await pressed(page, here);
    await page.getByRole('heading', { name: 'Make it as it was at #5' }).waitFor();
    await page.getByRole('heading', { name: '3 commands' }).waitFor();
    await commitButton(page).waitFor();
    expect(new URL(page.url()).searchParams.get('asOf')).toBeNull();
    await expectStop(visit);

    for (const [part, commands] of [
      ['Members', 'One command'],
      ['Settings', '2 commands'],
    ] as const) {
      await tabTo(page, page.getByRole('checkbox', { name: part, exact: true }));
      await page.keyboard.press('Space');
      await page.getByRole('heading', { name: commands }).waitFor();
      expect(await page.getByRole('checkbox', { name: part, exact: true }).isChecked()).toBe(true);
    }
    await seen(page, 'These commands restore every value.');
    await seen(page, `Add person ${ben.slice(0, 8)} as Member`);
    await commitButton(page).waitFor();
    await expectStop(visit);
    await committed(page);
    await seen(page, '2 events, #9 to #10');
    expect(await violationsOn(page)).toEqual([]);

    const { body } = await call(page, 'GET', `/api/v1/organizations/${id}`);
    expect(body).toMatchObject({ name: 'Old Mill', sites: [] });
    expect((body.members as { _id: string; role: string }[]).map(({ _id, role }) => [_id, role])).toEqual(
      expect.arrayContaining([[ben, 'member']]),
    );
    await eventually(async () => expect(await commitButton(page).count()).toBe(0));
    visit.mayFail(`/api/v1/organizations/${id}/undo`, 409); // on the way back, the earlier drafts have nothing to undo
    await expectBack(visit);
    expect(new URL(page.url()).pathname + query(page)).toBe(`/org/${id}/overview`);
  });
});
