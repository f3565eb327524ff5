/** Ids and data of events, for the examples of answers. */
export const ORGANIZATION = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
export const MEMBER = '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11';
export const SITE = '1c7e2f4a-6b1d-4a35-8a0e-2d6f5c9b3e21';
export const DOMAIN = '4e9a6c1f-3d52-4b7e-b1a8-7f0c2e5d9b43';
const at = '2026-11-21T10:00:00.000Z';
const additionalUser = { purchase: 'p-1', addOn: 'additionalUser' } as const;

export const planAssigned = {
  line: 'second',
  plan: 'solo',
  terms: {
    limits: { users: 1, contentSections: 1 },
    hardLimits: { users: 2 },
    soldOnlyByAddOn: [],
    trafficPerMonth: 100_000,
    features: ['feedback'],
    siteDefaults: { features: {}, report: { weekly: false, monthly: true }, live: true },
    organizationDefaults: { features: { multiSite: false } },
    customSetDefaults: { features: { logo: false, integrations: false } },
  },
  effectiveAt: at,
} as const;
export const planEnded = { line: 'second', plan: 'solo', effectiveAt: at } as const;
export const addOnPurchased = {
  ...additionalUser,
  quantity: 3,
  grants: { limits: { users: 1 }, features: [] },
  effectiveAt: at,
} as const;
export const addOnCancelled = { ...additionalUser, effectiveAt: at } as const;
