import { begunLife, type Life } from './life';

let life: Life;
beforeAll(async () => {
  life = await begunLife();
}, 60_000);
afterAll(() => life.end());

describe('N1: A server that is killed under load', () => {
  it.each([1, 2])(
    'is ready again within ten seconds, loses no acknowledged command and executes no command twice (round %i)',
    () => life.dieAndRise(),
    60_000,
  );

  it('has acknowledged many commands, and has refused commands beyond the limit', () => {
    const { acknowledged, refused } = Object.groupBy(life.operations, ({ outcome }) => outcome);
    expect(acknowledged?.length).toBeGreaterThan(100);
    expect(refused?.length).toBeGreaterThan(10);
  });

  it('has a read model that equals a replay', () => life.settle(), 60_000);
});
