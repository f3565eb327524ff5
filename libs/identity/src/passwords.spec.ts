import { passwordProblem } from './passwords';

const common = new Set(['password', '1q2w3e4r5t6y', 'unbelievable', 'qwerty']);
const ada = {
  product: 'Pulse',
  organizations: ['Acme Analytics', 'O2'],
  email: 'ada.lovelace@example.com',
  username: 'countess',
  name: 'Ada Lovelace',
};
const problemOf = (password: string) => passwordProblem(password, ada, common);

describe('Password', () => {
  it.each([
    ['12 characters', 'tEn plus two'],
    ['64 characters', 'abcdefgh'.repeat(7) + '12345678'],
    ['128 characters', `${'xyz '.repeat(31)}done`],
    ['spaces at its ends', '  tall trees  '],
    ['emoji', '🦊🐙🦉🐝🐢🦕🐳🦩🐌🦔🦚🐞'],
    ['one kind of character', 'correcthorsebatterystaple'],
    ['only digits', '836104957261'],
    ['a common password with more words', 'password is a bad word'],
    ['a personal word among others', 'my pulse beats all night long'],
    ['a short organization name in many words', 'two o2 molecules burn well'],
    ['twelve letters with two UTF-16 code units each', '𝒶𝒷𝒸𝒹𝓮𝒻𝓰𝒽𝒾𝒿𝓀𝓁'],
  ])('is accepted with %s', (_what, password) => expect(problemOf(password)).toBeUndefined());

  it.each([
    ['too-short', ''],
    ['too-short', 'elevenchars'],
    ['too-short', 'e\u0301'.repeat(11)],
    ['too-short', '🦊🐙🦉🐝🐢🦕🐳🦩🐌🦔🦚'],
    ['too-short', 'password'],
    ['too-long', `${'xyz '.repeat(32)}!`],
    ['common', 'unbelievable2026'],
    ['common', 'unbelievable'],
    ['common', 'UNBELIEVABLE'],
    ['common', '1q2w3e4r5t6y'],
    ['common', 'passwordpassword'],
    ['common', 'QwertyQwertyQwerty'],
    ['common', 'aaaaaaaaaaaa'],
    ['common', '123412341234'],
    ['common', '🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊'],
    ['personal', 'example-example-1'],
    ['personal', 'ada.lovelace@example.com'],
    ['personal', 'ADA.LOVELACE@EXAMPLE.COM'],
    ['personal', 'ada.lovelace'],
    ['personal', 'adalovelace1'],
    ['personal', 'Lovelace, Ada!'],
    ['personal', 'countess2026'],
    ['personal', 'acme-analytics'],
    ['personal', 'AcmeAnalytics2026!'],
    ['personal', 'Pulse Pulse 1'],
    ['personal', 'Ｐｕｌｓｅ Ｐｕｌｓｅ 1'],
  ])('is refused as %s: %j', (problem, password) => expect(problemOf(password)).toBe(problem));

  it.each([128, 12])('is measured in its normal form: %d letters with combining accents', (count) => {
    const letters = Array.from({ length: count }, (_, index) => 'aeiou'[(index * index) % 5]! + '\u0301').join('');
    expect(problemOf(letters)).toBeUndefined();
  });

  it('is accepted if it is long and uncommon and the person has no names', () => {
    const unknownPerson = { product: 'Pulse', organizations: [], email: null, username: null, name: null };
    expect(passwordProblem('ada.lovelace', unknownPerson, common)).toBeUndefined();
    expect(passwordProblem('!!!!????!!?!', unknownPerson, common)).toBeUndefined();
  });
});
