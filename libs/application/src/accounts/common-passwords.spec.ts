import { passwordProblem } from '@charter/identity';
import { commonPasswords } from './common-passwords';

// The real list, whose file the process cannot read while `mockDisk.isBroken`.
const mockDisk = { isBroken: false };
jest.mock('@zxcvbn-ts/language-common', () => {
  if (mockDisk.isBroken) throw new Error('EMFILE: too many open files');
  return jest.requireActual<object>('@zxcvbn-ts/language-common');
});

describe('List of common passwords', () => {
  it('is loaded again after the process could not read it', async () => {
    mockDisk.isBroken = true;
    const failures = await Promise.allSettled([commonPasswords(), commonPasswords()]);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(commonPasswords()).rejects.toThrow('EMFILE');
    mockDisk.isBroken = false;
    expect((await commonPasswords()).has('password')).toBe(true);
  });
});

describe('A6: Common passwords', () => {
  const unknownPerson = { product: 'Pulse', organizations: [], email: null, username: null, name: null };
  let common: ReadonlySet<string>;
  beforeAll(async () => {
    common = await commonPasswords();
  });

  it('are in a list of more than forty thousand passwords; the process loads the list only once', async () => {
    expect(common.size).toBeGreaterThan(40_000);
    expect(await commonPasswords()).toBe(common);
  });

  it('are all refused, also when a person types them in upper case', () => {
    const accepted = [...common].filter((password) => {
      const problems = [password, password.toUpperCase()].map((text) => passwordProblem(text, unknownPerson, common));
      return problems.includes(undefined);
    });
    expect(accepted).toEqual([]);
  });

  it('of twelve characters or more are refused with the reason `common`', () => {
    const long = [...common].filter((password) => password.length >= 12);
    expect(long.length).toBeGreaterThan(200);
    expect(new Set(long.map((password) => passwordProblem(password, unknownPerson, common)))).toEqual(
      new Set(['common']),
    );
  });

  it('are refused with the reason `common` if the password is the same common password twice in a row', () => {
    const twice = [...common].filter((password) => password.length >= 6).slice(0, 3_000);
    expect(
      twice.filter((password) => passwordProblem(password + password, unknownPerson, common) !== 'common'),
    ).toEqual([]);
  });
});
