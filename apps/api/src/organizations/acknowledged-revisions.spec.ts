import { createAcknowledgedRevisions } from './acknowledged-revisions';

const position = (at: number) => String(at).padStart(20, '0');

describe('Acknowledged revisions', () => {
  it("return an organization's newest acknowledged revision until the read model contains this revision", () => {
    const owed = createAcknowledgedRevisions(() => position(0));
    owed.add('a', 3, position(7));
    owed.add('a', 2, position(5));
    expect([owed.of('a'), owed.of('b')]).toEqual([3, -1]);
    owed.confirm(new Map([['a', 2]]));
    expect(owed.of('a')).toBe(3);
    owed.confirm(new Map([['a', 3]]));
    expect(owed.of('a')).toBe(-1);
  });

  it('are removed without `confirm` if 1,000 of them are stored and the read model contains them', () => {
    let reached = 0;
    const owed = createAcknowledgedRevisions(() => position(reached));
    for (let at = 1; at < 1_000; at += 1) owed.add(`a-${at}`, 1, position(at));
    expect(owed.of('a-1')).toBe(1);
    reached = 900;
    owed.add('last', 1, position(1_000));
    expect([owed.of('a-900'), owed.of('a-901'), owed.of('last')]).toEqual([-1, 1, 1]);
  });
});
