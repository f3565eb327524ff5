import { sharedLookups } from './shared-lookups';

const held = () => {
  const asked: { name: string; answer: (what: string) => void; fail: (why: Error) => void }[] = [];
  const ask = sharedLookups((name) => new Promise<string>((answer, fail) => asked.push({ name, answer, fail })));
  return { asked, ask };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Concurrent lookups of the same key', () => {
  it('share a query that is sent after the last of them arrived', async () => {
    const { asked, ask } = held();
    const first = ask('a');
    const later = [ask('a'), ask('a'), ask('a')];
    expect(asked).toHaveLength(1);
    asked[0]!.answer('as it was');
    expect(await first).toBe('as it was');
    await turn();
    expect(asked).toHaveLength(2);
    asked[1]!.answer('as it is');
    expect(await Promise.all(later)).toEqual(['as it is', 'as it is', 'as it is']);
  });

  it('start a third query while the second is running', async () => {
    const { asked, ask } = held();
    void ask('a');
    const second = ask('a');
    asked[0]!.answer('one');
    await turn();
    const third = ask('a');
    asked[1]!.answer('two');
    await turn();
    asked[2]!.answer('three');
    expect([await second, await third]).toEqual(['two', 'three']);
  });

  it('query separately for another key, and again once no query is running', async () => {
    const { asked, ask } = held();
    const both = [ask('a'), ask('b')];
    expect(asked.map(({ name }) => name)).toEqual(['a', 'b']);
    asked.forEach(({ answer, name }) => answer(name));
    expect(await Promise.all(both)).toEqual(['a', 'b']);
    await turn();
    void ask('a');
    expect(asked).toHaveLength(3);
  });

  it('share a failure; the next lookup queries again', async () => {
    const { asked, ask } = held();
    const first = ask('a');
    const second = ask('a');
    asked[0]!.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await turn();
    asked[1]!.answer('back');
    expect(await second).toBe('back');
  });
});
