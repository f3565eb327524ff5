import type { HeldPlan } from '@charter/organization';
import { catalogue } from '../../organization/src/testing/organization.testing';
import { heldTermsOf, termsTag } from './terms-tag';

const terms = catalogue.terms('second', 'solo')!;
const held = (more: Partial<HeldPlan['terms']> = {}, plan = 'solo') => ({
  ...{ line: 'second' as const, plan },
  terms: { ...terms, ...more },
});

describe('Tag of terms', () => {
  it('names the plan and the version of its terms', () => {
    expect(heldTermsOf(termsTag(held()))).toEqual({
      ...{ line: 'second', plan: 'solo', version: expect.stringMatching(/^[0-9a-f]{16}$/) as string },
    });
  });

  it.each(['a:b', 'a/b', 'terms:x', 'ä\nö'])(
    'names a plan with the odd name %j, which an operator may sell',
    (plan) => {
      expect(heldTermsOf(termsTag(held({}, plan)))).toMatchObject({ plan });
    },
  );

  it('is the same for equal terms whose fields have another order', () => {
    const reversed = Object.fromEntries(Object.entries(terms).reverse()) as HeldPlan['terms'];
    expect(termsTag({ ...held(), terms: reversed })).toBe(termsTag(held()));
    const { users, ...others } = terms.limits;
    expect(termsTag(held({ limits: { ...others, users } }))).toBe(termsTag(held()));
  });

  it('differs if a value of the terms differs, or if another plan has the same terms', () => {
    const tags = [
      held(),
      held({ limits: { ...terms.limits, users: 7 } }),
      held({ hardLimits: {} }),
      held({ features: [] }),
      held({ trafficPerMonth: 1 }),
      held({ siteDefaults: { ...terms.siteDefaults, live: !terms.siteDefaults.live } }),
      held({}, 'teams'),
    ].map(termsTag);
    expect(new Set(tags).size).toBe(tags.length);
  });

  it.each(['', 'plan:second/solo', 'terms:', 'terms:0123456789abcdef:third/solo', 'terms:xyz:second/solo'])(
    'is not recognized in the text %j',
    (text) => {
      expect(heldTermsOf(text)).toBeUndefined();
    },
  );
});
