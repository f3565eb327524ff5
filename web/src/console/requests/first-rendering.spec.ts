import { setupI18n } from '@lingui/core';
import { api } from '../api';
import { PRESENT } from '../moment/page-moment';
import { newStore } from '../store';
import { prepareFirstRendering } from './first-rendering';

const ID = '7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10';
const BASE = `/api/v1/organizations/${ID}`;
const page = window as { firstAnswers?: Record<string, Promise<unknown>> };
afterEach(() => delete page.firstAnswers);

const response = (body: object) =>
  Promise.resolve({ ok: true, status: 200, json: () => Promise.resolve(body), headers: new Map() });
const answers = {
  [BASE]: response({ name: 'Northwind' }),
  [`${BASE}/entitlements`]: response({ revision: 7 }),
  [`${BASE}/standing`]: response({ reads: [] }),
  '/api/v1/me': response({ name: 'Ada' }),
};

/** Prepares the page of the organization. Returns the functions that read the store. */
async function prepared(first: Record<string, Promise<unknown>>) {
  page.firstAnswers = { ...first };
  const { dispatch, getState } = newStore();
  const i18n = setupI18n();
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  await prepareFirstRendering(dispatch, `/org/${ID}/overview`, i18n);
  const at = { id: ID, moment: PRESENT };
  return {
    organization: () => api.endpoints.organization.select(at)(getState()).data,
    entitlements: () => api.endpoints.entitlements.select(at)(getState()).data,
    standing: () => api.endpoints.standing.select(ID)(getState()).data,
    me: () => api.endpoints.me.select(undefined)(getState()).data,
  };
}

describe('The preparation of the first rendering', () => {
  it('stores the first answers', async () => {
    const { organization, entitlements, standing, me } = await prepared(answers);
    expect(organization()).toEqual({ name: 'Northwind' });
    expect(entitlements()).toEqual({ revision: 7 });
    expect(standing()).toEqual({ reads: [] });
    expect(me()).toEqual({ name: 'Ada' });
  });

  it('does not wait long for a late answer, and stores the other answers', async () => {
    const { organization, entitlements } = await prepared({ ...answers, [BASE]: new Promise(() => undefined) });
    expect(organization()).toBeUndefined();
    expect(entitlements()).toEqual({ revision: 7 });
  });
});
