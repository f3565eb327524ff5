import type { OrganizationEvent, ProductLine } from '@charter/organization';
import { overriddenUntil } from '../../organization/src/testing/entitled.testing';
import {
  ada,
  added,
  bob,
  catalogue,
  closed,
  ended,
  now,
  on,
  overridden,
} from '../../organization/src/testing/organization.testing';
import { foldedAcme, foldedTo } from './folded.testing';
import { termsTag } from './terms-tag';
import { endingOverrideTag, memberTag, organizationView, planTag } from './view';

const row = (...events: OrganizationEvent[]) => organizationView.row(foldedAcme(...events));
const tagsOfPlan = (line: ProductLine, plan: string) => [
  planTag(`${line}/${plan}`),
  termsTag({ line, plan, terms: catalogue.terms(line, plan)! }),
];

describe('List row of an organization', () => {
  it('does not exist before the organization is founded', () => {
    expect(organizationView.row(foldedTo([]))).toBeUndefined();
  });

  it('has the name and the plans', () => {
    expect(row(on('second/solo'))).toMatchObject({
      name: 'Acme',
      columns: { plans: { first: null, second: { plan: 'solo', effectiveAt: now } } },
    });
  });

  it('has tags for each plan that the organization holds, for the terms of this plan, and for each member', () => {
    const [first, second] = [tagsOfPlan('first', 'essential'), tagsOfPlan('second', 'solo')];
    const tags = [...first, ...second, memberTag(ada), memberTag(bob)];
    expect(row(on('first/essential'), on('second/solo'), added(ada), added(bob))!.tags).toEqual(tags);
    const left: OrganizationEvent = { type: 'MemberRemoved', data: { member: ada } };
    expect(row(on('second/solo'), ended('second'), added(ada), left)!.tags).toEqual([]);
  });

  it('has a special tag while the organization has an override with an end date', () => {
    expect(row(overridden)!.tags).toEqual([]);
    expect(row(overriddenUntil(now))!.tags).toEqual([endingOverrideTag]);
    expect(row(overriddenUntil(now), { type: 'HardLimitsRestored', data: { reason: 'over' } })!.tags).toEqual([]);
  });

  it('still exists after the organization is closed', () => {
    expect(row(on('second/solo'), closed)!.tags).toEqual(tagsOfPlan('second', 'solo'));
  });
});
