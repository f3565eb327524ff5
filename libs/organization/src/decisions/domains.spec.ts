import { bought, founded, given, now, on, shop as one, blog as two } from '../testing/organization.testing';
import { stewardNames, whenClosed, whoMay } from '../testing/who-may.testing';

const disabled = { type: 'ProductDisabled', data: {} } as const;

/** The two lists of domains follow the same rules. An entry of a list needs the feature with the list's name. */
const lists = [
  {
    list: 'qualityAssurance',
    other: 'webAnalytics',
    command: 'AddQualityAssuranceDomain',
    event: 'QualityAssuranceDomainAdded',
    otherEvent: 'WebAnalyticsDomainAdded',
  },
  {
    list: 'webAnalytics',
    other: 'qualityAssurance',
    command: 'AddWebAnalyticsDomain',
    event: 'WebAnalyticsDomainAdded',
    otherEvent: 'QualityAssuranceDomainAdded',
  },
] as const;

describe.each(lists)('Adding a domain to $list', ({ list, other, command, event, otherEvent }) => {
  const add = (domain: string, hostname: string) => ({ type: command, data: { domain, hostname } }) as const;
  const added = (domain: string, hostname: string) => ({ type: event, data: { domain, hostname } }) as const;
  const before = [founded, on('second/solo'), bought(5, list)];

  it('records the domain once, however often the command is sent', () => {
    expect(given(...before).when(add(one, 'qa.test'))).toEqual([added(one, 'qa.test')]);
    expect(given(...before, added(one, 'qa.test')).when(add(one, 'qa.test'))).toEqual([]);
    expect(given(...before, added(one, 'qa.test')).state()[list]).toEqual({
      [one]: { hostname: 'qa.test', event: 3, at: now },
    });
  });

  it("is refused while the list's feature is off, even if the list is not full", () => {
    const refused = { refused: 'feature-off', facts: { feature: list } };
    expect(given(founded).when(add(one, 'qa.test'))).toMatchObject(refused);
    expect(given(founded, on('second/teams'), bought(5, other)).when(add(one, 'qa.test'))).toMatchObject(refused);
    expect(given(...before, disabled).when(add(one, 'qa.test'))).toMatchObject(refused);
  });

  it("is refused with the reasons why the feature is off, and with today's offers that would turn it on", () => {
    expect(given(founded, on('second/teams'), bought(5, other)).when(add(one, 'qa.test'))).toEqual({
      refused: 'feature-off',
      detail:
        `The feature ${list} is off: not in second/teams (event 1). ` +
        `By today's catalogue, add-on ${list} would turn it on.`,
      facts: {
        feature: list,
        because: [{ kind: 'not-in-plan', what: 'second/teams', event: 1, at: now }],
        today: [{ kind: 'add-on', what: list }],
      },
    });
    expect(given(founded).when(add(one, 'qa.test'))).toMatchObject({
      detail: expect.stringContaining('is off: no plan (event 0). By today'),
      facts: { because: [{ kind: 'none', what: 'no plan', event: 0, at: now }] },
    });
  });

  it('is refused without offers if the product is disabled, because no offer would turn the feature on', () => {
    expect(given(...before, disabled).when(add(one, 'qa.test'))).toEqual({
      refused: 'feature-off',
      detail: `The feature ${list} is off: the product is disabled (event 3).`,
      facts: { feature: list, because: [{ kind: 'product', what: 'disabled', event: 3, at: now }], today: [] },
    });
  });

  it('is refused if another domain of this list has the id', () => {
    expect(given(...before, added(one, 'qa.test')).when(add(one, 'other.test'))).toMatchObject({
      refused: 'id-taken',
      facts: { domain: one },
    });
  });

  it('is refused if a domain of this list has the hostname, but not if only the other list has this hostname', () => {
    expect(given(...before, added(one, 'qa.test')).when(add(two, 'qa.test'))).toMatchObject({
      refused: 'hostname-taken',
      facts: { hostname: 'qa.test' },
    });
    const elsewhere = { type: otherEvent, data: { domain: one, hostname: 'qa.test' } } as const;
    expect(given(...before, elsewhere).when(add(two, 'qa.test'))).toEqual([added(two, 'qa.test')]);
  });

  it('may be executed by admins, owners and operators until the organization is closed', () => {
    expect(whoMay(add(one, 'qa.test'), ...before)).toEqual(stewardNames);
    expect(whenClosed(add(one, 'qa.test'), {}, bought(1, list))).toBe('organization-closed');
  });
});

describe('Adding a domain to a full list', () => {
  const add = { type: 'AddQualityAssuranceDomain', data: { domain: two, hostname: 'two.test' } } as const;
  const first = { type: 'QualityAssuranceDomainAdded', data: { domain: one, hostname: 'one.test' } } as const;

  it('is refused when all domains of the bought add-ons are in use, and the refusal contains the reasons', () => {
    const full = given(founded, on('second/solo'), bought(1, 'qualityAssurance'), first);
    expect(full.when(add)).toMatchObject({
      refused: 'limit-exceeded',
      facts: {
        limit: 'qualityAssuranceDomains',
        allowed: 1,
        used: 1,
        requested: 1,
        hard: null,
        because: [
          { kind: 'plan', what: 'second/solo', amount: 0, event: 1, at: now },
          { kind: 'add-on', what: 'qualityAssurance', quantity: 1, amount: 1, event: 2, at: now },
        ],
      },
    });
  });

  it('is refused when the list has 1,000 web-analytics domains', () => {
    const domains = Array.from({ length: 1000 }, (_, index) => ({
      type: 'WebAnalyticsDomainAdded' as const,
      data: { domain: `eeeeeeee-0000-4000-8000-${String(index).padStart(12, '0')}`, hostname: `w${index}.test` },
    }));
    const another = { type: 'AddWebAnalyticsDomain', data: { domain: two, hostname: 'two.test' } } as const;
    const before = [founded, bought(1, 'webAnalytics')];
    expect(given(...before, ...domains.slice(1)).when(another)).toMatchObject([{ type: 'WebAnalyticsDomainAdded' }]);
    expect(given(...before, ...domains).when(another)).toMatchObject({
      refused: 'limit-exceeded',
      facts: { limit: 'webAnalyticsDomains', allowed: 1000, used: 1000, hard: null },
    });
  });
});

const removals = [
  {
    list: 'qualityAssurance',
    command: 'RemoveQualityAssuranceDomain',
    addedEvent: 'QualityAssuranceDomainAdded',
    event: 'QualityAssuranceDomainRemoved',
    otherEvent: 'WebAnalyticsDomainAdded',
  },
  {
    list: 'webAnalytics',
    command: 'RemoveWebAnalyticsDomain',
    addedEvent: 'WebAnalyticsDomainAdded',
    event: 'WebAnalyticsDomainRemoved',
    otherEvent: 'QualityAssuranceDomainAdded',
  },
] as const;

describe.each(removals)('Removing a domain from $list', ({ list, command, addedEvent, event, otherEvent }) => {
  const remove = (domain: string) => ({ type: command, data: { domain } }) as const;
  const domain = { type: addedEvent, data: { domain: one, hostname: 'qa.test' } } as const;
  const removed = { type: event, data: { domain: one } } as const;

  it('is recorded', () => {
    expect(given(founded, bought(1, list), domain).when(remove(one))).toEqual([removed]);
    expect(given(founded, bought(1, list), domain, removed).state()[list]).toEqual({});
  });

  it('is accepted while the feature is off, so that a customer can clean up after a change to a smaller plan', () => {
    expect(given(founded, domain).when(remove(one))).toEqual([removed]);
  });

  it('is refused a second time, and for a domain of the other list', () => {
    expect(given(founded, domain, removed).when(remove(one))).toMatchObject({ refused: 'no-such-domain' });
    const elsewhere = { type: otherEvent, data: { domain: two, hostname: 'qa.test' } } as const;
    expect(given(founded, domain, elsewhere).when(remove(two))).toMatchObject({ refused: 'no-such-domain' });
  });

  it('may be executed by admins, owners and operators until the organization is closed', () => {
    expect(whoMay(remove(one), founded, domain)).toEqual(stewardNames);
    expect(whenClosed(remove(one), {}, domain)).toBe('organization-closed');
  });
});
