import { digestOfShown, shownEvent } from './shown-events';

const at = '2026-11-23T10:00:00.000Z';
const sold = (effectiveAt: string) => ({ type: 'PlanAssigned', data: { line: 'second', plan: 'solo', effectiveAt } });

describe('The events of a preview', () => {
  it('contain `now` instead of the moment of the decision, so that the digest does not depend on the moment of the commit', () => {
    const later = '2026-11-23T10:07:30.250Z';
    expect(shownEvent(sold(at), at)).toEqual(sold('now'));
    expect(digestOfShown(4, [shownEvent(sold(at), at)])).toBe(digestOfShown(4, [shownEvent(sold(later), later)]));
  });

  it('contain `now` also for a moment up to 20 milliseconds later, because a later command of a list gets such a moment', () => {
    expect(shownEvent(sold('2026-11-23T10:00:00.020Z'), at)).toEqual(sold('now'));
    expect(shownEvent(sold('2026-11-23T10:00:00.021Z'), at)).toEqual(sold('2026-11-23T10:00:00.021Z'));
  });

  it('keep a moment that the caller has chosen', () => {
    const chosen = sold('2026-05-02T00:00:00.000Z');
    expect(shownEvent(chosen, at)).toEqual(chosen);
  });

  it.each([
    ['another revision', digestOfShown(5, [sold('now')])],
    ['another type', digestOfShown(4, [{ ...sold('now'), type: 'PlanEnded' }])],
    ['other data', digestOfShown(4, [sold('2026-05-02T00:00:00.000Z')])],
    ['one more event', digestOfShown(4, [sold('now'), sold('now')])],
    ['no event', digestOfShown(4, [])],
  ])('give another digest for %s', (_, other) => {
    expect(other).not.toBe(digestOfShown(4, [sold('now')]));
  });

  it('give a digest that is the SHA-256 of the canonical JSON of the revision and the events', () => {
    expect(digestOfShown(4, [{ type: 'ProductDisabled', data: {} }])).toBe(
      // printf '%s' '{"events":[{"data":{},"type":"ProductDisabled"}],"revision":4}' | sha256sum
      '9e9285e4394231b9e4444fd28d449472ccf700f14986050e5092b24b8520d98c',
    );
  });
});
