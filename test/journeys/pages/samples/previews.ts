import { deflateRawSync } from 'node:zlib';
import { BEN } from './lists';

/** Previews and answers to commits, as the API prints them, for the sample organization. */
const at = (day: string) => `${day}T09:00:00.000Z`;
const teams = { kind: 'plan', what: 'second/teams', event: 1101, at: at('2025-02-03') };
const solo = { kind: 'plan', what: 'second/solo', command: 0 };
const users = { kind: 'add-on', what: 'additionalUser', quantity: 3, amount: 3, event: 1140, at: at('2025-03-04') };
const traffic = (allowance: number, because: object) => ({
  ...{ month: '2026-11', views: 812_400, allowance, mark: 80 },
  because: [because],
});

export const assignSolo = { type: 'AssignPlan', data: { line: 'second', plan: 'solo' } };
export const removeLastOwner = { type: 'RemoveMember', data: { member: 'p' } };

export const planAssigned = { type: 'PlanAssigned', data: { line: 'second', plan: 'solo', effectiveAt: 'now' } };

/**
 * The effect of the plan Solo instead of Teams: a lost feature, and a limit that the members exceed. The preview has no
 * field `shown`.
 */
export const pastPreview = {
  revision: 1283,
  events: [{ ...planAssigned, command: 0 }],
  may: [{ index: 0, may: true, takes: ['operator', 'billing:write'] }],
  limits: {
    users: {
      before: { limit: 8, configured: 8, hard: 10, used: 7, over: 0, because: [{ ...teams, amount: 5 }, users] },
      after: { limit: 2, configured: 4, hard: 2, used: 7, over: 5, because: [{ ...solo, amount: 1 }, users] },
    },
  },
  features: {
    ...{ gained: [], lost: ['matomoIntegration'] },
    terms: {
      matomoIntegration: {
        before: { on: true, because: [teams] },
        after: { on: false, because: [{ ...solo, kind: 'not-in-plan' }] },
      },
    },
  },
  traffic: {
    before: traffic(1_000_000, { ...teams, amount: 1_000_000 }),
    after: traffic(100_000, { ...solo, amount: 100_000 }),
  },
  state: [{ op: 'replace', path: '/plans/second/plan', before: 'teams', value: 'solo' }],
};

export const soloPreview = { ...pastPreview, shown: 'a'.repeat(64) };

/** `soloPreview` with the terms of Solo in a product catalogue that allows this number of users. */
export const previewWithTerms = (users: number) => ({
  ...soloPreview,
  events: [
    {
      ...planAssigned,
      data: {
        ...planAssigned.data,
        terms: { limits: { users, sites: 1 }, hardLimits: { users: 2 }, soldOnlyByAddOn: [], features: [] },
      },
      command: 0,
    },
  ],
});

/** `pastPreview` with a second command in its draft, which the service refuses. */
export const refusedPreview = {
  ...pastPreview,
  may: [...soloPreview.may, { index: 1, may: true, takes: ['owner', 'operator'] }],
  refused: {
    index: 1,
    problem: { type: '/problems/last-owner', title: 'The last owner stays', status: 409, index: 1 },
  },
};

/** Why the service refuses a further member. */
const usersFull = {
  ...{ type: '/problems/limit-exceeded', title: 'The limit is reached', status: 409 },
  ...{ limit: 'users', allowed: 8, used: 8, requested: 1, hard: 10 },
  because: [{ ...teams, amount: 5 }, users, { ...teams, kind: 'hard-limit', amount: 10 }],
};

export const addErik = {
  type: 'AddMember',
  data: { member: '7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d77', role: 'member' },
};

/** The preview of a draft whose second command adds a member beyond the limit. */
export const fullPreview = { ...refusedPreview, refused: { index: 1, problem: { ...usersFull, index: 1 } } };

/** `soloPreview` for an owner, who may not sell a plan. */
export const ownersPreview = { ...soloPreview, may: [{ ...soloPreview.may[0]!, may: false }] };

/** `soloPreview` after another person has added a member. */
export const laterPreview = {
  ...soloPreview,
  ...{ revision: 1284, shown: 'b'.repeat(64) },
  limits: {
    users: {
      before: { ...soloPreview.limits.users.before, used: 8 },
      after: { ...soloPreview.limits.users.after, used: 8, over: 6 },
    },
  },
};

/**
 * The preview of a draft that removes a member and an add-on, and changes values that are neither features nor limits.
 */
export const removalPreview = {
  ...soloPreview,
  features: { gained: [], lost: [], terms: {} },
  traffic: { before: soloPreview.traffic.before, after: soloPreview.traffic.before },
  limits: {
    users: {
      before: { ...soloPreview.limits.users.before, used: 7 },
      after: { ...soloPreview.limits.users.before, used: 6 },
    },
  },
  state: [
    ...soloPreview.state,
    { op: 'replace', path: '/since/plans/second/event', before: 1101, value: 1284 },
    { op: 'replace', path: '/addOns/a/quantity', before: 3, value: 2 },
    { op: 'remove', path: '/addOns/b', before: { purchase: 'b', addOn: 'additionalUser', quantity: 1 } },
    { op: 'remove', path: `/members/${BEN}`, before: { role: 'admin', pulseUser: true } },
    { op: 'replace', path: '/members/p/role', before: 'owner', value: 'admin' },
    { op: 'replace', path: '/members/p/roleSince/event', before: 3, value: 1285 },
    { op: 'replace', path: '/members/p/pulseUser', before: true, value: false },
    { op: 'replace', path: '/pulse', before: true, value: false },
    { op: 'replace', path: '/pulseDetails/parallelUse', before: null, value: true },
    { op: 'replace', path: '/pulseFeatures/logo', before: true, value: false },
  ],
};

export const notAsShown = {
  ...{ type: '/problems/not-as-shown', title: 'Not as shown', status: 409, detail: '', instance: 'a-request' },
  ...{ revision: 1284, was: 'a'.repeat(64), shown: 'b'.repeat(64) },
};

export const committed = { revision: 1284, events: [planAssigned] };

/** The URL fragment of a draft with these commands. */
export const draftOf = (...commands: readonly Readonly<{ type: string; data: object }>[]): string =>
  `#draft=${deflateRawSync(JSON.stringify(commands.map(({ type, data }) => [type, data]))).toString('base64url')}`;
