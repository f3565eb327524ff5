import { passwordProblem } from '@charter/identity';
import { commonPasswords } from './common-passwords';

describe('common passwords', () => {
  const nobody = { product: 'Pulse', organizations: [], email: null, username: null, name: null };
  const common = commonPasswords();

  it('are many, and loaded once', () => {
    expect(common.size).toBeGreaterThan(40_000);
    expect(commonPasswords()).toBe(common);
  });

  it('are refused, each of them, in any case', () => {
    const accepted = [...common].filter((password) => {
      const problems = [password, password.toUpperCase()].map((text) => passwordProblem(text, nobody, common));
      return problems.includes(undefined);
    });
    expect(accepted).toEqual([]);
  });

  it('of twelve characters or more are told to be common', () => {
    const long = [...common].filter((password) => password.length >= 12);
    expect(long.length).toBeGreaterThan(200);
    expect(new Set(long.map((password) => passwordProblem(password, nobody, common)))).toEqual(new Set(['common']));
  });

  it('of six and more, said twice, are common still', () => {
    const twice = [...common].filter((password) => password.length >= 6).slice(0, 3_000);
    expect(twice.filter((password) => passwordProblem(password + password, nobody, common) !== 'common')).toEqual([]);
  });
});
