import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { commands as everyCommand } from '../../../../../libs/organization/src/testing/every-command.testing';
import { draftAddress, type DraftCommand } from './draft-address';
import { readDraft } from './read-draft';

const ID = '7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10';
const rename = (name: string) => ({ type: 'RenameOrganization', data: { name } });
const fragmentOf = (address: string) => new URL(address, 'http://pages').hash;
const packedText = (text: string) => `#draft=${deflateRawSync(text).toString('base64url')}`;
const packed = (value: unknown) => packedText(JSON.stringify(value));
const nested = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
const backAndForth = async (commands: readonly DraftCommand[]) =>
  readDraft(fragmentOf(await draftAddress(ID, commands)));

describe('The address of a draft', () => {
  it('contains the commands with their data in the given order, for each type of command', async () => {
    const commands = everyCommand.slice(0, 20) as readonly DraftCommand[];
    expect(await backAndForth(commands)).toEqual({ commands });
    const others = everyCommand.slice(20) as readonly DraftCommand[];
    expect(await backAndForth(others)).toEqual({ commands: others });
  });

  it.each(['', 'Ω≈ç√ "\\ \u2028', '<script>', '𝒳'.repeat(9)])('contains the text %j unchanged', async (name) =>
    expect(await backAndForth([rename(name)])).toEqual({ commands: [rename(name)] }),
  );

  it('keeps a command of an unknown type unchanged', async () => {
    const commands = [{ type: 'PaintLogo', data: { colour: 'teal', layers: [1, null, { deep: true }] } }];
    expect(await backAndForth(commands)).toEqual({ commands });
  });

  it('contains the commands only in its fragment, compressed to less than a third of their JSON', async () => {
    const commands = Array.from({ length: 20 }, (_, index) => rename(`Northwind ${index}`));
    const { pathname, search, hash } = new URL(await draftAddress(ID, commands), 'http://pages');
    expect([pathname, search]).toEqual([`/org/${ID}/draft`, '']);
    expect(hash).toMatch(/^#draft=[\w-]+$/);
    expect(hash.length).toBeLessThan(JSON.stringify(commands).length / 3);
  });

  it('cannot be made with an e-mail address in a command, without commands, with more than 20 commands, or beyond the maximum length', async () => {
    await expect(draftAddress(ID, [rename('ben@northwind.example')])).rejects.toThrow('e-mail address');
    await expect(draftAddress(ID, [])).rejects.toThrow('1 to 20');
    await expect(
      draftAddress(
        ID,
        Array.from({ length: 21 }, () => rename('a')),
      ),
    ).rejects.toThrow('not 21');
    const reasons = Array.from({ length: 20 }, () => rename(randomBytes(600).toString('base64')));
    await expect(draftAddress(ID, reasons)).rejects.toThrow('at most 16000 characters');
  });
});

describe('A fragment', () => {
  it.each([
    ['is empty', '', 'none'],
    ['names no draft', '#q=ben', 'foreign'],
    ['is not base64url', '#draft=%3Cscript%3E', 'broken'],
    ['is not compressed', `#draft=${Buffer.from('[["EnableProduct",{}]]').toString('base64url')}`, 'broken'],
    [
      'is cut off',
      packed([rename('Acme'), rename('Ltd')].map(({ type, data }) => [type, data])).slice(0, -9),
      'broken',
    ],
    ['is not JSON', packedText('[["Enable'), 'broken'],
    [
      'contains bytes that are not UTF-8',
      `#draft=${deflateRawSync(Buffer.from([0xff])).toString('base64url')}`,
      'broken',
    ],
    ['contains no list', packed({ type: 'EnableProduct' }), 'broken'],
    ['contains no command', packed([]), 'broken'],
    ['contains a type that is no name', packed([['<b>', {}]]), 'broken'],
    ['contains data that is no object', packed([['EnableProduct', 'x']]), 'broken'],
    ['contains a command with a third part', packed([['EnableProduct', {}, 1]]), 'broken'],
    ['contains an endless nesting', packedText(`[["EnableProduct",${nested}]]`), 'broken'],
    ['has 21 commands', packed(Array.from({ length: 21 }, () => ['EnableProduct', {}])), 'too-many'],
    ['is too long', `#draft=${'A'.repeat(16_000)}`, 'too-long'],
    ['expands to a million bytes', packed([['RenameOrganization', { name: 'a'.repeat(1_000_000) }]]), 'too-long'],
    [
      'contains an e-mail address',
      packed([['RenameOrganization', { name: 'Ask ben@northwind.example' }]]),
      'e-mail-address',
    ],
    [
      'contains an e-mail address with an escaped character',
      packedText('[["RenameOrganization",{"name":"ben\\u0040northwind.example"}]]'),
      'e-mail-address',
    ],
  ])('that %s has a flaw', async (_, fragment, flaw) => expect(await readDraft(fragment)).toEqual({ flaw }));
});
