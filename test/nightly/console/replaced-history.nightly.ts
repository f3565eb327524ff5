import { randomUUID } from 'node:crypto';
import type { OrganizationCommand } from '@charter/organization';
import { eventually } from '../../journeys/browser/eventually';
import { call } from '../../journeys/browser/page-actions';
import { staged } from '../../journeys/browser/stage';
import { startBuiltService } from '../../journeys/built-service';
import { founding, member, moreUsers, plan, record, type Recorded, site } from '../../journeys/recorded';
import { expectBack, expectStop, PASSWORD, seen, signedIn, tabTo, typed } from '../../journeys/browser/stops';

// Journey 15, and check U7 with falsified histories. Each link contains the hash of an event. If the history changed,
// the hash differs.
const AUD = 'aud@store.example';

/** A service whose store can be replaced by an empty store at the same address. */
async function replaceable() {
  let service = await startBuiltService();
  return {
    get url() {
      return service.url;
    },
    get service() {
      return service;
    },
    replace: async () => {
      const { port } = new URL(service.url);
      await service.close();
      service = await startBuiltService({}, Number(port));
    },
    close: () => service.close(),
  };
}
const stage = staged(replaceable);
jest.setTimeout(120_000);

const at = (day: number) => `2026-05-${String(day).padStart(2, '0')}T12:00:00.000Z`;
const rename = (name: string): OrganizationCommand => ({ type: 'RenameOrganization', data: { name } });
/** A history with fixed metadata, so that it has the same hashes in another store. */
const original: readonly Recorded[] = [
  founding({ name: 'Mill' }),
  { command: plan('teams') },
  { command: moreUsers(5) },
  { command: member() },
  { command: site('mill.example') },
  { command: rename('New Mill') },
  { command: member() },
].map((one, day) => ({ ...one, at: at(day + 1), request: randomUUID() }));
const LAST = original.length - 1;

const changed = (index: number, by: Partial<Recorded>) => original.with(index, { ...original[index]!, ...by });
const falsified: readonly (readonly [what: string, history: readonly Recorded[]])[] = [
  ['another name', changed(5, { command: rename('Old Mill') })],
  ['another plan', changed(1, { command: plan('solo') })],
  ['another actor', changed(2, { by: 'billing' })],
  ['another moment of recording', changed(3, { at: at(4).replace('12:00', '12:01') })],
  ['another moment in force', changed(1, { command: plan('teams', at(1)) })],
  ['another request', changed(4, { request: randomUUID() })],
  ['another member', changed(3, { command: member() })],
  ['two events in another order', original.with(3, original[4]!).with(4, original[3]!)],
  ['one event less', [...original.toSpliced(3, 1), { command: member(), at: at(8) }]],
  ['one event more', original.toSpliced(3, 0, { ...original[3]!, command: member(), request: randomUUID() })],
];
const ids = [...falsified, 'the same'].map(() => randomUUID());
const same = ids.at(-1)!;
const links: string[] = [];

async function settle() {
  const { charter, settle: account } = stage.service.service;
  await account({ email: AUD, password: PASSWORD, role: 'auditor' });
  return charter;
}
const open = (path: string) => signedIn(stage, AUD, path);

beforeAll(async () => {
  const charter = await settle();
  for (const id of ids) await record(charter, id, original);
}, 60_000);

describe('A link that names its history', () => {
  it('15: can be copied by keyboard; when a person opens it, the page confirms that the history is unchanged', async () => {
    const visit = await open(`/org/${same}/overview`);
    const { page, context } = visit;
    await seen(page, /^Now · #6/);
    await expectStop(visit);
    await typed(page, `#${LAST - 1}`);
    await seen(page, /^As recorded by #5, /);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await tabTo(page, page.getByRole('button', { name: 'Previous event' })); // the first control of the toolbar
    await page.keyboard.press('ArrowLeft'); // moves to the last control of the toolbar, Copy link
    await page.keyboard.press('Enter');
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await eventually(async () => expect(await copied()).toMatch(/[?&]head=5\.[0-9a-f]{16}$/));
    await page.goto(await copied());
    await seen(page, 'This is the history with which the link was made.');
    await expectStop(visit);
    await expectBack(visit);

    for (const id of ids) {
      const { body } = await call(page, 'GET', `/api/v1/organizations/${id}/events?from=${LAST}&limit=1`);
      const { hash } = body.events[0].metadata;
      links.push(`/org/${id}/overview?asOf=${LAST}&head=${LAST}.${String(hash).slice(0, 16)}`);
    }
  });

  it('15, U7: opens a page with a warning if the store now contains another history, for each of 10 falsified histories', async () => {
    await stage.service.replace();
    const charter = await settle();
    for (const [index, [, history]] of falsified.entries()) await record(charter, ids[index]!, history);
    await record(charter, same, original);

    const visit = await open(links.at(-1)!);
    const { page } = visit;
    await seen(page, 'This is the history with which the link was made.'); // the other store has the same history
    const noticed: string[] = [];
    for (const [index, [what]] of falsified.entries()) {
      await page.goto(links[index]!);
      await seen(page, /^As recorded by #6, /);
      await page.getByText(/^This is (not )?the history with which the link was made\.$/).waitFor();
      if (await page.getByRole('alert').getByText('This is not the history with which the link was made.').count())
        noticed.push(what);
    }
    console.info(JSON.stringify({ check: 'U7', falsified: falsified.length, noticed: noticed.length }));
    expect(noticed).toEqual(falsified.map(([what]) => what));
    await expectStop(visit);
  });
});
