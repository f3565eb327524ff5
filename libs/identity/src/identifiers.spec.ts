import fc from 'fast-check';
import { canonicalEmail, canonicalUsername, identifierOf } from './identifiers';

describe('S14: E-mail address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['  Ada.Lovelace@EXAMPLE.com\t', 'ada.lovelace@example.com'],
    ['ada+charter@example.com', 'ada+charter@example.com'],
    ["o'brien&sons#1!$%*/=?^_`{|}~-@example.com", "o'brien&sons#1!$%*/=?^_`{|}~-@example.com"],
    ['ada@münchen.example', 'ada@xn--mnchen-3ya.example'],
    ['ada@MU\u0308NCHEN.example', 'ada@xn--mnchen-3ya.example'],
    ['ada@xn--mnchen-3ya.example', 'ada@xn--mnchen-3ya.example'],
    ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    ['Jose\u0301@example.com', 'jos\u00e9@example.com'],
    ['ÄRGER@example.com', 'ärger@example.com'],
    ['root@localhost', 'root@localhost'],
    ['a@b', 'a@b'],
    [`${'l'.repeat(64)}@${'d'.repeat(60)}.example`, `${'l'.repeat(64)}@${'d'.repeat(60)}.example`],
  ])('%j has the canonical form %j', (given, canonical) => {
    expect(canonicalEmail(given)).toBe(canonical);
    expect(canonicalEmail(canonical)).toBe(canonical);
  });

  it.each([
    ['nothing', ''],
    ['no at', 'ada.example.com'],
    ['two ats', 'ada@home@example.com'],
    ['no local part', '@example.com'],
    ['no host', 'ada@'],
    ['quoted', '"ada lovelace"@example.com'],
    ['quoted, with an at', '"a@da"@example.com'],
    ['with a comment', 'ada(home)@example.com'],
    ['with a name', 'Ada <ada@example.com>'],
    ['two addresses', 'ada@example.com,eve@example.com'],
    ['a new header', 'ada@example.com\r\nBcc: eve@example.com'],
    ['a line break before the at', 'ada\r\n@example.com'],
    ['a space', 'ada lovelace@example.com'],
    ['a no-break space', 'ada\u00a0l@example.com'],
    ['a zero-width space', 'ada\u200b@example.com'],
    ['a control character', 'ada\u0000@example.com'],
    ['a direction mark', 'ada\u202e@example.com'],
    ['half of a surrogate pair', 'ada\ud800@example.com'],
    ['dots at the ends', '.ada.@example.com'],
    ['two dots', 'ada..l@example.com'],
    ['an IP address', 'ada@127.0.0.1'],
    ['an IP address as one number', 'ada@2130706433'],
    ['an IP address in brackets', 'ada@[127.0.0.1]'],
    ['a port', 'ada@example.com:25'],
    ['a path', 'ada@example.com/eve'],
    ['a dot at the end', 'ada@example.com.'],
    ['an encoded host', 'ada@ex%61mple.com'],
    ['an invisible letter in the host', 'ada@exam\u00adple.com'],
    ['65 characters before the at', `${'l'.repeat(65)}@example.com`],
    ['65 bytes before the at', `${'ä'.repeat(33)}@example.com`],
    ['255 characters', `ada@${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.example`],
    ['320 characters', `${'l'.repeat(64)}@${'d.'.repeat(124)}example`],
    ['100 kB', `ada@${'d'.repeat(100_000)}`],
  ])('is refused: %s', (_what, given) => expect(canonicalEmail(given)).toBeUndefined());

  it('has a canonical form that stays the same when Charter converts it again', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.string({ unit: 'binary' }).map((text) => `${text}@example.com`),
        ),
        (given) => {
          const canonical = canonicalEmail(given);
          if (canonical === undefined) return;
          expect(canonicalEmail(canonical)).toBe(canonical);
          expect(canonicalEmail(` ${canonical.toUpperCase()} `.normalize('NFD'))).toBe(
            canonicalEmail(canonical.toUpperCase()),
          );
          expect(canonical.split('@')).toHaveLength(2);
          expect(canonical).not.toMatch(/[\s\p{C}]/u);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('A4: Username', () => {
  it.each([
    ['ada', 'ada'],
    ['  Ada_L-1.2 ', 'ada_l-1.2'],
    ['Élan', 'élan'],
    ['E\u0301lan', 'élan'],
    ['42', '42'],
    ['x'.repeat(64), 'x'.repeat(64)],
  ])('%j has the canonical form %j', (given, canonical) => {
    expect(canonicalUsername(given)).toBe(canonical);
    expect(canonicalUsername(canonical)).toBe(canonical);
  });

  it.each([
    '',
    'a',
    'x'.repeat(65),
    'a b',
    'a@b',
    'ada@example.com',
    '.ada',
    '-ada',
    '_a',
    'a/b',
    'a\u0000b',
    'a\u200bb',
    'a,b',
    '😀😀',
  ])('%j is refused', (given) => expect(canonicalUsername(given)).toBeUndefined());

  it('never equals an e-mail address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 70 }), (given) => {
        const [email, username] = [canonicalEmail(given), canonicalUsername(given)];
        expect(email === undefined || username === undefined).toBe(true);
        expect(username ?? '').not.toContain('@');
      }),
    );
  });
});

describe('Identifier that a person enters to sign in', () => {
  it.each([
    ['Ada@Example.com ', { email: 'ada@example.com' }],
    [' ADA', { username: 'ada' }],
    ['ada@', undefined],
    ['', undefined],
  ])('%j is parsed as %p', (text, meant) => expect(identifierOf(text)).toEqual(meant));
});
