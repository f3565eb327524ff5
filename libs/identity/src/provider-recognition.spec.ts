import { noPreferences, type Account, type AccountState } from './people';
import { matchAccount, type ProviderIdentity } from './provider-recognition';

const account = (change: Partial<Account> = {}): Account => ({
  id: 'a-1',
  state: 'active',
  email: 'olga@a.example',
  emailVerified: true,
  username: null,
  name: null,
  role: null,
  ...noPreferences,
  passwordHash: null,
  created: '2026-11-21T10:00:00.000Z',
  version: 1,
  ...change,
});
const vouched: ProviderIdentity = {
  issuer: 'https://p.example',
  subject: 's-1',
  email: 'olga@a.example',
  emailVerified: true,
};
const google = { answersForAddresses: true, hasProvenDomain: false };
const organizations = { answersForAddresses: false, hasProvenDomain: false };

describe('Known subject of an identity provider', () => {
  it("matches its account even if the person's address has changed (G6)", () => {
    const changed = { ...vouched, email: 'other@b.example', emailVerified: false };
    const other = account({ id: 'a-2', email: 'other@b.example' });
    expect(matchAccount(changed, { linked: account(), addressed: other }, google)).toEqual({
      kind: 'known',
      account: account(),
    });
  });

  it.each(['disabled', 'invited', 'erased'] as const)('is refused for an account that is %s (G8)', (state) => {
    const linked = account({ state });
    expect(matchAccount(vouched, { linked, addressed: linked }, google)).toMatchObject({
      kind: 'refused',
      account: 'a-1',
    });
  });
});

describe('New subject of an identity provider', () => {
  it('is linked to the account with the same address if both the provider and Charter have verified the address (G6)', () => {
    expect(matchAccount(vouched, { linked: undefined, addressed: account() }, google)).toEqual({
      kind: 'new',
      account: account(),
      claims: false,
    });
  });

  it.each([
    ['an address that the provider has not verified (G5)', { emailVerified: false }, account(), 'unverified-email'],
    ['no address (G5)', { email: undefined }, account(), 'unverified-email'],
    ['an address without an account (G8)', {}, undefined, 'unknown'],
    ['an account that is disabled (G8)', {}, account({ state: 'disabled' }), 'disabled'],
    ['an account that is erased (G8)', {}, account({ state: 'erased' }), 'disabled'],
    [
      'a disabled account with an unproven address',
      {},
      account({ state: 'disabled', emailVerified: false }),
      'disabled',
    ],
  ] as const)('is refused for %s', (_, change, addressed, because) => {
    expect(matchAccount({ ...vouched, ...change }, { linked: undefined, addressed }, google)).toMatchObject({
      kind: 'refused',
      because,
    });
  });
});

describe('New subject of a provider that sends no email_verified', () => {
  const unstated: ProviderIdentity = { ...vouched, emailVerified: undefined };
  const proven = { answersForAddresses: false, hasProvenDomain: true };
  const candidates = { linked: undefined, addressed: account() };

  it("is linked if the provider's organization has proven the domain of the address (G5)", () => {
    expect(matchAccount(unstated, candidates, proven)).toEqual({ kind: 'new', account: account(), claims: false });
  });

  it('is refused without a proven domain, also at Google (G5)', () => {
    for (const trust of [organizations, google])
      expect(matchAccount(unstated, candidates, trust)).toMatchObject({ because: 'unverified-email' });
  });

  it('is refused if the claim is false, or if Charter has not verified the address', () => {
    expect(matchAccount({ ...unstated, emailVerified: false }, candidates, proven)).toMatchObject({
      because: 'unverified-email',
    });
    const addressed = account({ emailVerified: false });
    expect(matchAccount(unstated, { linked: undefined, addressed }, proven)).toMatchObject({
      because: 'unverified-email',
    });
  });
});

describe('Account with an unproven address', () => {
  const unproven: readonly (readonly [AccountState, Account])[] = [
    ['invited', account({ state: 'invited', emailVerified: false })],
    ['active', account({ emailVerified: false, passwordHash: "an attacker's" })],
  ];

  it.each(unproven)(
    'is taken over by the owner of the address if it is %s and Google has verified the address (G7)',
    (_, addressed) => {
      expect(matchAccount(vouched, { linked: undefined, addressed }, google)).toEqual({
        kind: 'new',
        account: addressed,
        claims: true,
      });
    },
  );

  it.each(unproven)(
    "is refused with a separate reason if it is %s and only an organization's provider has verified the address",
    (state, addressed) => {
      expect(matchAccount(vouched, { linked: undefined, addressed }, organizations)).toEqual({
        kind: 'refused',
        because: state === 'invited' ? 'invited' : 'unverified-email',
        account: 'a-1',
      });
    },
  );

  it('is refused if the provider has not verified the address either, and the refusal names the account', () => {
    const unverified = { ...vouched, emailVerified: false };
    for (const addressed of [account(), account({ emailVerified: false })])
      expect(matchAccount(unverified, { linked: undefined, addressed }, google)).toEqual({
        kind: 'refused',
        because: 'unverified-email',
        account: 'a-1',
      });
  });
});
