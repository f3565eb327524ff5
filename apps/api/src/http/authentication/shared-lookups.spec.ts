import { sharedLookups } from './shared-lookups';

const held = () => {
  const sent: { name: string; answer: (what: string) => void; fail: (why: Error) => void }[] = [];
  const ask = sharedLookups((name) => new Promise<string>((answer, fail) => sent.push({ name, answer, fail })));
  return { sent, ask };
};
const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('Concurrent lookups', () => {
  it('of one API key share the next query if they arrive during a query', async () => {
    const { sent, ask } = held();
    const first = ask('a');
    const later = [ask('a'), ask('a'), ask('a')];
    expect(sent).toHaveLength(1);
    sent[0]!.answer('as it was');
    expect(await first).toBe('as it was');
    await nextTick();
    expect(sent).toHaveLength(2);
    sent[1]!.answer('as it is');
    expect(await Promise.all(later)).toEqual(['as it is', 'as it is', 'as it is']);
  });

  it('of one API key cause a third query if a lookup arrives during the second query', async () => {
    const { sent, ask } = held();
    void ask('a');
    const second = ask('a');
    sent[0]!.answer('one');
    await nextTick();
    const third = ask('a');
    sent[1]!.answer('two');
    await nextTick();
    sent[2]!.answer('three');
    expect([await second, await third]).toEqual(['two', 'three']);
  });

  it('of two API keys cause two queries; a lookup after these queries causes a new query', async () => {
    const { sent, ask } = held();
    const both = [ask('a'), ask('b')];
    expect(sent.map(({ name }) => name)).toEqual(['a', 'b']);
    sent.forEach(({ answer, name }) => answer(name));
    expect(await Promise.all(both)).toEqual(['a', 'b']);
    await nextTick();
    void ask('a');
    expect(sent).toHaveLength(3);
  });

  it('of one API key do not share a failure: after a failed query, a waiting lookup starts a new query', async () => {
    const { sent, ask } = held();
    const first = ask('a');
    const second = ask('a');
    sent[0]!.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await nextTick();
    sent[1]!.answer('back');
    expect(await second).toBe('back');
  });
});
