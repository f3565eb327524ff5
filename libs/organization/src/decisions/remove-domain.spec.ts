import { blog as two, bought, founded, given, shop as one } from '../testing';
import { stewards, whenClosed, whoMay } from '../who-may.testing';

const lists = [
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

describe.each(lists)('removing a domain from $list', ({ list, command, addedEvent, event, otherEvent }) => {
  const remove = (domain: string) => ({ type: command, data: { domain } }) as const;
  const domain = { type: addedEvent, data: { domain: one, hostname: 'qa.test' } } as const;
  const removed = { type: event, data: { domain: one } } as const;

  it('is recorded', () => {
    expect(given(founded, bought(1, list), domain).when(remove(one))).toEqual([removed]);
    expect(given(founded, bought(1, list), domain, removed).state()[list]).toEqual({});
  });

  it('is possible without the feature too: nobody is kept from tidying up', () => {
    expect(given(founded, domain).when(remove(one))).toEqual([removed]);
  });

  it('is refused to have happened twice, and for a domain of the other list', () => {
    expect(given(founded, domain, removed).when(remove(one))).toMatchObject({ refused: 'no-such-domain' });
    const elsewhere = { type: otherEvent, data: { domain: two, hostname: 'qa.test' } } as const;
    expect(given(founded, domain, elsewhere).when(remove(two))).toMatchObject({ refused: 'no-such-domain' });
  });

  it('is open to stewards, until the organization is closed', () => {
    expect(whoMay(remove(one), founded, domain)).toEqual(stewards);
    expect(whenClosed(remove(one), {}, domain)).toBe('organization-closed');
  });
});
