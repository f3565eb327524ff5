import { loadCatalogue } from '@charter/catalogue';
import { schemaOf, Terms } from '@charter/organization';
import { screen, waitFor, within } from '@testing-library/react';
import { NORTHWIND, rightsOf, sampleDocument, sampleEntitlements } from '../../../../../../test/journeys/pages/samples';
import { soloPreview } from '../../../../../../test/journeys/pages/samples/previews';
import { draftIn } from '../../../draft/address/draft-fragment';
import { readDraft } from '../../../draft/address/read-draft';
import { openOrganization } from '../../open-organization.testing';

/** Answers of the service that replace the sample answers, by the end of the request's path. */
type Answers = Readonly<Record<string, object>>;

/** Opens the plan page. Without a draft in the address, the first change begins a draft. */
async function opened(rights: object = rightsOf.operator, answers: Answers = {}) {
  const page = await openOrganization('/plan', ({ url }) => {
    const [, data] = Object.entries(answers).find(([end]) => url.endsWith(end)) ?? [];
    if (data) return { status: 200, data };
    if (url.endsWith('/standing')) return { status: 200, data: rights };
    return url.endsWith('/preview') ? { status: 200, data: soloPreview } : undefined;
  });
  const drafted = async () => {
    const reading = await readDraft(draftIn(new URL(page.address(), 'http://pages').hash) ?? '');
    return 'commands' in reading ? reading.commands : [];
  };
  return { ...page, drafted };
}
const form = async (name: string) => within(await screen.findByRole('form', { name }));

describe('The changes by operators', () => {
  it.each([
    ['Set limits by hand', { Users: '12' }, { type: 'ConfigureLimits', data: { users: 12 } }],
    [
      'Ignore hard limits',
      { Reason: 'a trial', 'End, in UTC': '2030-01-01T00:00' },
      { type: 'OverrideHardLimits', data: { reason: 'a trial', until: '2030-01-01T00:00:00.000Z' } },
    ],
    [
      'Report traffic',
      { Month: '2026-10', 'Page views in the month': '1200' },
      { type: 'ReportTraffic', data: { month: '2026-10', views: 1_200 } },
    ],
  ] as const)('each add a line to a draft, and execute nothing: %s', async (name, texts, command) => {
    const { user, drafted, sent } = await opened();
    const fields = await form(name);
    expect(fields.queryByLabelText('Web analytics domains')).toBeNull(); // the amount of this limit is fixed
    for (const [label, typed] of Object.entries(texts)) await user.type(fields.getByLabelText(label), typed);
    await user.click(fields.getByRole('button', { name: /^Add to the draft/ }));
    await waitFor(async () => expect(await drafted()).toEqual([command]));
    expect(sent.filter(({ method, url }) => method !== 'GET' && !url.endsWith('/preview'))).toEqual([]);
  });

  it.each([
    ['Set limits by hand', { Users: '1.5' }, 'Users'],
    ['Ignore hard limits', { Reason: 'x'.repeat(501) }, 'Reason'],
    ['Report traffic', { Month: '2026-10', 'Page views in the month': '-1' }, 'Page views in the month'],
  ] as const)('mark the field with a wrong value, and add nothing: %s', async (name, texts, wrong) => {
    const { user, drafted } = await opened();
    const fields = await form(name);
    for (const [label, typed] of Object.entries(texts)) {
      await user.click(fields.getByLabelText(label));
      await user.paste(typed);
    }
    await user.click(fields.getByRole('button', { name: /^Add to the draft/ }));
    expect(fields.getByLabelText(wrong)).toBeInvalid();
    expect(await drafted()).toEqual([]);
  });

  it('mark an end that the person has not typed completely, and add nothing', async () => {
    const { user, drafted } = await opened();
    const fields = await form('Ignore hard limits');
    await user.type(fields.getByLabelText('Reason'), 'a trial');
    const until = fields.getByLabelText<HTMLInputElement>('End, in UTC');
    // In a browser, the value of a field with a part of a date is empty, and the field is invalid.
    until.setCustomValidity('Enter the whole date.');
    await user.click(fields.getByRole('button', { name: /^Add to the draft/ }));
    expect(until).toHaveAttribute('aria-invalid', 'true');
    expect(until).toHaveFocus();
    expect(await drafted()).toEqual([]);
  });

  it('open the closed terms if one of them is wrong', async () => {
    const { user } = await opened();
    const fields = await form('Assign a plan on terms of its own');
    const users = fields.getByLabelText('Users');
    await user.click(fields.getByText('Terms'));
    await user.type(users, 'many');
    await user.click(fields.getByText('Terms'));
    expect(users).not.toBeVisible();
    await user.click(fields.getByRole('button', { name: /^Add to the draft/ }));
    expect(users).toBeVisible();
    expect(users).toHaveFocus();
  });

  it('can undo a limit that was set by hand, so that the plan sets the limit again', async () => {
    const { users, ...others } = sampleEntitlements.limits;
    const byHand = [{ kind: 'by-hand', what: 'users', amount: 12, event: 1250, at: '2026-05-02T09:00:00.000Z' }];
    const limits = { ...others, users: { ...users, limit: 12, because: byHand } };
    const { user, drafted } = await opened(rightsOf.operator, { '/entitlements': { ...sampleEntitlements, limits } });
    const fields = await form('Set limits by hand');
    expect(fields.queryByLabelText('Content sections: as the plan says')).toBeNull(); // the plan sets this limit
    await user.type(fields.getByLabelText('Users'), '20');
    await user.click(fields.getByLabelText('Users: as the plan says'));
    await user.click(fields.getByRole('button', { name: /^Add to the draft/ }));
    const data = { users: null };
    await waitFor(async () => expect(await drafted()).toEqual([{ type: 'ConfigureLimits', data }]));
    expect(schemaOf('ConfigureLimits').parse(data)).toEqual(data);
  });

  it('can enforce ignored hard limits again, but only with a reason', async () => {
    const limits = { ...sampleDocument.limits, override: true };
    const { user, drafted } = await opened(rightsOf.operator, { [`/${NORTHWIND}`]: { ...sampleDocument, limits } });
    const fields = await form('Enforce hard limits again');
    await user.click(fields.getByRole('button', { name: /^Add to the draft/ }));
    expect(fields.getByLabelText('Reason')).toBeInvalid();
    expect(await drafted()).toEqual([]);
    await user.type(fields.getByLabelText('Reason'), 'the trial ended');
    await user.click(fields.getByRole('button', { name: /^Add to the draft/ }));
    const data = { reason: 'the trial ended' };
    await waitFor(async () => expect(await drafted()).toEqual([{ type: 'RestoreHardLimits', data }]));
    expect(schemaOf('RestoreHardLimits').parse(data)).toEqual(data);
  });

  it('have no form to enforce hard limits again while Charter enforces them', async () => {
    await opened();
    await form('Ignore hard limits');
    expect(screen.queryByRole('form', { name: 'Enforce hard limits again' })).toBeNull();
  });

  it("assign a plan on other terms than the catalogue's; the command contains full terms that the service accepts", async () => {
    const { terms } = loadCatalogue()
      .plans()
      .find(({ line, plan }) => line === 'second' && plan === 'solo')!;
    const { user, drafted } = await opened();
    const fields = await form('Assign a plan on terms of its own');
    expect(fields.getByLabelText('Plan')).toHaveValue('second/teams'); // the held plan
    expect(fields.getByLabelText('Plan')).not.toHaveFocus();
    await user.selectOptions(fields.getByLabelText('Plan'), 'Pulse Solo');
    const again = await form('Assign a plan on terms of its own'); // the fields of the other plan
    expect(again.getByLabelText('Plan')).toHaveFocus();
    await user.click(again.getByText('Terms'));
    const users = again.getByLabelText('Users');
    expect(users).toHaveValue(String(terms.limits.users));
    await user.clear(users);
    await user.type(users, 'many');
    await user.click(again.getByRole('button', { name: /^Add to the draft/ }));
    expect(users).toBeInvalid();
    expect(await drafted()).toEqual([]);
    await user.clear(users);
    await user.type(users, '3');
    await user.click(again.getByLabelText('Matomo integration'));
    await user.click(again.getByRole('button', { name: /^Add to the draft/ }));
    await waitFor(async () => expect(await drafted()).toHaveLength(1));
    const [{ type, data }] = (await drafted()) as [{ type: string; data: Readonly<Record<string, unknown>> }];
    expect({ type, line: data['line'], plan: data['plan'] }).toEqual({
      type: 'AssignPlan',
      line: 'second',
      plan: 'solo',
    });
    const { features, ...own } = Terms.parse(data['terms']);
    const { features: ofCatalogue, ...others } = Terms.parse(terms);
    expect(own).toEqual({ ...others, limits: { ...others.limits, users: 3 } });
    const hadMatomo = ofCatalogue.includes('matomoIntegration');
    expect(features.includes('matomoIntegration')).toBe(!hadMatomo);
    const without = (all: readonly string[]) => new Set(all.filter((feature) => feature !== 'matomoIntegration'));
    expect(without(features)).toEqual(without(ofCatalogue));
    expect(schemaOf('AssignPlan').safeParse(data).success).toBe(true);
  });

  it('end a plan and cancel a purchased add-on in one draft', async () => {
    const { user, drafted } = await opened();
    await user.click(await screen.findByRole('button', { name: 'Cancel User × 3' }));
    await waitFor(async () => expect(await drafted()).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'End Pulse Teams' }));
    await waitFor(async () =>
      expect(await drafted()).toEqual([
        { type: 'CancelAddOn', data: { purchase: 'a' } },
        { type: 'EndPlan', data: { line: 'second' } },
      ]),
    );
  });

  it('are absent for owners', async () => {
    await opened(rightsOf.owner);
    await screen.findByRole('heading', { name: 'Pulse Teams' });
    expect(screen.queryByRole('region', { name: 'Changes by operators' })).toBeNull();
  });
});
