import { begunLife, type Life } from './life';

let life: Life;
beforeAll(async () => {
  life = await begunLife();
}, 60_000);
afterAll(() => life.end());

describe('N1: A server that is killed under load', () => {
  it.each([1, 2, 3])(
    'time %i: is ready again in ten seconds, and loses or doubles nothing that was acknowledged',
    () => life.dieAndRise(),
    60_000,
  );

  it('had acknowledged many commands, and refused those beyond the limit', () => {
    const { acknowledged, refused } = Object.groupBy(life.deeds, ({ outcome }) => outcome);
    expect(acknowledged?.length).toBeGreaterThan(100);
    expect(refused?.length).toBeGreaterThan(10);
  });

  it('has a read model that equals the replay', () => life.settle(), 60_000);
});
