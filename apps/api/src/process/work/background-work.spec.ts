import { type BackgroundKind, createBackgroundWork } from './background-work';

let dropped: BackgroundKind[];
const lines: object[] = [];
const created = () =>
  createBackgroundWork({ warn: (line: object) => void lines.push(line) }, (kind) => dropped.push(kind));
beforeEach(() => (dropped = []));

describe('Background work', () => {
  it('lets one address use at most an eighth of a queue, so that the queue has room for other addresses', async () => {
    const { add, settled } = created();
    const done: string[] = [];
    const work = (whose: string) => add('key-use', whose, () => Promise.resolve(done.push(whose)));
    const accepted = Array.from({ length: 2_000 }, () => work('noisy')).filter(Boolean).length;
    expect([accepted, work('quiet')]).toEqual([125, true]);
    expect(dropped).toEqual(Array(1_875).fill('key-use'));
    await settled();
    expect(done.filter((whose) => whose === 'quiet')).toHaveLength(1);
    expect(work('noisy')).toBe(true);
  });

  it('has a bounded queue for each kind of work', async () => {
    const { add, settled } = created();
    const nothing = () => Promise.resolve();
    const accepted = Array.from({ length: 2_000 }, (_, index) => add('key-use', String(index), nothing));
    expect(accepted.filter(Boolean)).toHaveLength(1_000);
    expect(add('notice', 'ada', nothing)).toBe(true);
    await settled();
  });

  it('logs only the name of the error when some work fails, and never the message of the error', async () => {
    const { add, settled } = created();
    const fails = () => Promise.reject(new TypeError('ada@example.com'));
    add('rehash', 'ada', fails);
    await settled();
    expect(lines).toContainEqual({ what: 'a new hash of a password', why: 'TypeError' });
    expect(JSON.stringify(lines)).not.toContain('ada@example.com');
  });
});
