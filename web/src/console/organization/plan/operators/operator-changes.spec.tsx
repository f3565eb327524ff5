import { screen, waitFor, within } from '@testing-library/react';
import { rightsOf } from '../../../../../../test/journeys/pages/samples';
import { soloPreview } from '../../../../../../test/journeys/pages/samples/previews';
import { draftIn } from '../../../draft/address/draft-fragment';
import { readDraft } from '../../../draft/address/read-draft';
import { openOrganization } from '../../open-organization.testing';

/** Opens the plan page. Without a draft in the address, the first change begins a draft. */
async function opened(rights: object = rightsOf.operator) {
  const page = await openOrganization('/plan', ({ url }) => {
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
  ] as const)('become a line of a draft, and nothing is executed: %s', async (name, texts, command) => {
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

  it('end a plan and cancel a purchase in one draft', async () => {
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
