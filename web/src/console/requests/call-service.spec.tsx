import { screen, waitFor } from '@testing-library/react';
import { NORTHWIND, rightsOf, sampleDocument } from '../../../../test/journeys/pages/samples';
import { BEN } from '../../../../test/journeys/pages/samples/lists';
import { api } from '../api';
import { renderConsole, type SentRequest } from '../open.testing';
import { openOrganization } from '../organization/open-organization.testing';
import { newStore } from '../store';

const organization = `/api/v1/organizations/${NORTHWIND}`;
const changed = {
  ...sampleDocument,
  members: sampleDocument.members.map((one) => (one._id === BEN ? { ...one, role: 'owner' } : one)),
};

/** Opens the list of members, and makes Ben an owner. */
async function changedRole({ lags = false } = {}) {
  const page = await openOrganization('/members', ({ method, url, params }) => {
    if (lags && 'atLeast' in params) return { status: 503, data: { type: '/problems/not-yet' } };
    if (url.endsWith('/standing')) return { status: 200, data: rightsOf.operator };
    if (method === 'PATCH') return { status: 200, data: { revision: 1284, events: [] } };
    // the read model of this process lacks the change until the process has waited for the revision
    return url === organization && 'atLeast' in params ? { status: 200, data: changed } : undefined;
  });
  await page.user.click(await screen.findByRole('button', { name: 'Change Ben Okafor' }));
  await page.user.click(screen.getByRole('menuitemradio', { name: 'Owner' }));
  if (!lags) await waitFor(() => expect(screen.getByRole('row', { name: /Ben Okafor/ })).toHaveTextContent('Owner'));
  return page;
}

/** The requests about the organization that have the parameter `atLeast`, or that do not have it. */
const requests = (sent: readonly SentRequest[], hasParameter: boolean) =>
  new Set(
    sent
      .filter(({ params }) => 'atLeast' in params === hasParameter)
      .map(({ method, url }) => `${method} ${url.replace(organization, '')}`),
  );

describe('A page whose change and reads reach two processes of the service', () => {
  it('shows its own change, because its next reads name the revision of the change', async () => {
    const { sent } = await changedRole();
    const reads = sent.slice(sent.findIndex(({ method }) => method === 'PATCH') + 1);
    expect(requests(reads, true)).toEqual(new Set(['GET /entitlements', 'GET /members', 'GET ']));
    expect(requests(reads, false)).toEqual(new Set(['GET /api/v1/me', 'GET /changes']));
    expect(reads.find(({ url }) => url === organization)?.params).toEqual({ atLeast: 1284 });
  });

  it('names the revision only in requests that accept `atLeast`', async () => {
    const { user, sent } = await changedRole();
    await user.type(screen.getByRole('searchbox'), 'ben');
    await waitFor(() => expect(requests(sent, true)).toContain('POST /members/search'));
    for (const name of ['Sites', 'Domains', 'History', 'Settings']) {
      await user.click(screen.getByRole('link', { name: new RegExp(`^${name}`) }));
      await screen.findByRole('heading', { level: 1, name });
    }
    await waitFor(() => expect(requests(sent, true)).toContain('GET /single-sign-on'));
    expect([...requests(sent, true)].sort()).toEqual([
      'GET ',
      'GET /entitlements',
      'GET /members',
      'GET /notification-recipients',
      'GET /single-sign-on',
      'GET /sites',
      'POST /members/search',
    ]);
  });

  it('sends `atLeast` with no change, not even with a change without `If-Match`', async () => {
    const { sent } = await changedRole();
    const change = {
      id: NORTHWIND,
      method: 'DELETE',
      path: '/single-sign-on',
      key: 'key',
      revision: undefined,
    } as const;
    await newStore().dispatch(api.endpoints.change.initiate(change));
    expect([sent.at(-1)?.method, sent.at(-1)?.params]).toEqual(['DELETE', {}]);
  });

  it('shows the older state if the read model of the other process lags longer than the service waits', async () => {
    const { sent } = await changedRole({ lags: true });
    await waitFor(() => {
      const reads = sent.slice(sent.findIndex(({ method }) => method === 'PATCH') + 1);
      expect(requests(reads, false)).toContain('GET /members');
    });
    expect(screen.getByRole('row', { name: /Ben Okafor/ })).toBeVisible();
    for (const alert of screen.getAllByRole('alert')) expect(alert).toBeEmptyDOMElement();
  });

  it('does not name the revision in later requests, because the read model usually lags only for a moment', async () => {
    const { user, sent } = await changedRole();
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 5_000);
    await user.click(screen.getByRole('link', { name: /^Sites/ }));
    await waitFor(() => expect(requests(sent, false)).toContain('GET /sites'));
    jest.restoreAllMocks();
  });
});

describe('The kept answers', () => {
  /** Requests that use `If-None-Match` get 304 after `mayAnswer` resolves. */
  async function open({ mayAnswer = Promise.resolve() } = {}) {
    const { sent } = await renderConsole(null, {
      answer: async ({ url, ifNoneMatch }) => {
        if (ifNoneMatch === undefined) return { status: 200, data: { url }, headers: { etag: '"1"' } };
        await mayAnswer;
        return { status: 304 };
      },
    });
    const { dispatch } = newStore();
    const standing = (name: string) =>
      dispatch(api.endpoints.standing.initiate(name, { subscribe: false, forceRefetch: true }));
    const others = async (count: number, name: string) => {
      for (let number = 0; number < count; number += 1) await standing(`${name}-${number}`);
    };
    return { sent, standing, others };
  }
  const polled = { url: '/api/v1/organizations/polled/standing' };

  it('contain the answer to a 304 even if the answers to 50 other requests arrived before the 304', async () => {
    const mayAnswer = Promise.withResolvers<undefined>();
    const { standing, others } = await open({ mayAnswer: mayAnswer.promise });
    await standing('polled');
    const repeated = standing('polled');
    await others(50, 'new');
    mayAnswer.resolve(undefined);
    expect((await repeated).data).toEqual(polled);
  });

  it('keep an answer that the service has confirmed longer than older answers', async () => {
    const { sent, standing, others } = await open();
    await standing('polled');
    await others(40, 'older');
    await standing('polled');
    await others(40, 'newer');
    expect((await standing('polled')).data).toEqual(polled);
    expect(sent.at(-1)?.ifNoneMatch).toBe('"1"');
  });
});
