import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { signIn } from './browser/page-actions';
import { staged, type Visit } from './browser/stage';
import { violationsOn } from './browser/violations';

const stage = staged();
const PASSWORD = 'lighthouse marmalade seventeen';
const [OLGA, OPAL] = ['olga@northwind.example', 'opal@charter.example'];
let northwind: string;

beforeAll(async () => {
  const { service } = stage;
  const [olga] = await Promise.all([
    service.settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    service.settle({ email: OPAL, password: PASSWORD, role: 'operator' }),
  ]);
  northwind = await service.organization({
    name: 'Northwind',
    commands: [
      { type: 'AssignPlan', data: { line: 'second', plan: 'teams' } },
      { type: 'PurchaseAddOn', data: { purchase: randomUUID(), addOn: 'additionalUser', quantity: 2 } },
      { type: 'AddMember', data: { member: olga, role: 'owner' } },
      ...Array.from({ length: 5 }, () => ({
        ...{ type: 'AddMember' as const, data: { member: randomUUID(), role: 'member' as const } },
      })), // #8
    ],
  });
}, 60_000);

async function signedIn(email: string, path: string, begin?: (page: Page) => void): Promise<Page> {
  const before = ({ page }: Visit) => {
    begin?.(page);
    return Promise.resolve();
  };
  const visit = await stage.visit(path, { before });
  await signIn(visit, email, PASSWORD);
  return visit.page;
}

/** The events in the next answer from a path that ends with `end`. */
const eventsOf = async (page: Page, end: string) => {
  const answer = await page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(end));
  const { events } = (await answer.json()) as { events: { type: string; data: Record<string, unknown> }[] };
  return events.map(({ type, data }) => ({ type, data: { ...data, effectiveAt: 'now' } }));
};

describe('An owner who tries a smaller plan', () => {
  it('sees the losses before anything happens, sends the link to an operator, and sees the commit and its undo', async () => {
    const owner = await signedIn(OLGA, `/org/${northwind}/plan`);
    await owner.getByLabel('Second line').selectOption('solo');
    await owner.getByText('7 → 2').waitFor();
    await owner.getByText(/^6 are here: over by 4\. All of them stay/).waitFor();
    expect(await violationsOn(owner)).toEqual([]);
    await owner.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await owner.getByRole('button', { name: 'Copy link', exact: true }).click();
    await owner.getByText('Copied.').waitFor();
    const link = new URL(await owner.evaluate<string>('navigator.clipboard.readText()'));
    expect(link.pathname + link.search).toBe(`/org/${northwind}/draft`);

    let shown: ReturnType<typeof eventsOf> | undefined;
    const operator = await signedIn(OPAL, link.pathname + link.hash, (page) => {
      shown = eventsOf(page, '/preview');
    });
    await operator.getByText(/^6 are here: over by 4\. All of them stay/).waitFor();
    await operator.getByRole('button', { name: 'Commit exactly this' }).waitFor();
    expect(await violationsOn(operator)).toEqual([]);
    const recorded = eventsOf(operator, '/commands');
    await operator.keyboard.press('Control+Enter');
    await operator.getByRole('link', { name: '#9', exact: true }).waitFor();
    expect(await recorded).toEqual(await shown);

    await owner.getByRole('button', { name: /1 new event/ }).click();
    await owner.getByRole('heading', { name: 'Pulse Solo' }).waitFor();

    await operator.getByRole('link', { name: 'Undo…' }).click();
    await operator.getByText('Assign Pulse Teams on the terms of event #1').waitFor();
    await operator.getByText('These commands restore every value.').waitFor();
    await operator.getByRole('button', { name: 'Commit exactly this' }).click();
    await operator.getByRole('link', { name: '#10', exact: true }).waitFor();
    await owner.getByRole('button', { name: /1 new event/ }).click();
    await owner.getByRole('heading', { name: 'Pulse Teams' }).waitFor();
  });
});
