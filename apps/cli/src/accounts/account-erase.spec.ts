import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandDeclined } from '../terminal/problem';
import { certificateFile, confirm } from './account-erase';

describe('Erasing an account from a terminal', () => {
  const id = randomUUID();
  const typing = async (text: string) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    input.write(text);
    await confirm(id, { input, output, signal: new AbortController().signal });
    return String(output.read());
  };

  it("asks for the account's id, and erases nothing if the operator enters another text", async () => {
    expect(await typing(`${id.toUpperCase()}\n`)).toContain(`Type the id, ${id},`);
    for (const text of ['\n', 'yes\n', `${randomUUID()}\n`])
      await expect(typing(text)).rejects.toThrow('Nothing was erased.');
  });

  it('stops waiting for the id when the operator interrupts the command', async () => {
    const stop = new AbortController();
    const confirmation = confirm(id, { input: new PassThrough(), output: new PassThrough(), signal: stop.signal });
    stop.abort();
    await expect(confirmation).rejects.toThrow(/abort/i);
  });

  const keys: readonly (readonly [name: string, key: string])[] = [
    ['Ctrl+C', '\x03'],
    ['Ctrl+D', '\x04'],
  ];
  it.each(keys)('erases nothing if the operator presses %s, also after a few characters', async (_, key) => {
    for (const typed of ['', id.slice(0, 4)]) {
      const [input, output] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: true })];
      const confirmation = confirm(id, { input, output, signal: new AbortController().signal });
      for (const character of `${typed}${key}`) input.write(character);
      input.write('\x03'); // with typed characters, Ctrl+D does not cancel
      await expect(confirmation).rejects.toMatchObject({ reason: 'not-confirmed', status: 400 });
    }
  });

  it('erases nothing if the input ends before the operator has confirmed', async () => {
    const input = new PassThrough();
    const confirmation = confirm(id, { input, output: new PassThrough(), signal: new AbortController().signal });
    input.end(id.slice(0, 4));
    await expect(confirmation).rejects.toMatchObject({ reason: 'not-confirmed' });
  });
});

describe('The file of a certificate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'charter-certificate-'));
  const file = join(folder, 'ada.txt');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is refused before the erasure if it cannot be written', () => {
    mkdirSync(join(folder, 'taken'));
    for (const wrong of [join(folder, 'missing', 'ada.txt'), join(folder, 'taken'), join(folder, 'missing/')]) {
      expect(() => certificateFile(wrong)).toThrow(CommandDeclined);
      expect(() => certificateFile(wrong)).toThrow(/Nothing was erased\.$/);
    }
    expect(readdirSync(folder)).toEqual(['taken']);
  });

  it('keeps its content until the command writes the certificate', () => {
    certificateFile(file).end();
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, 'before');
    const { write, end } = certificateFile(file);
    expect(readFileSync(file, 'utf8')).toBe('before');
    write('certificate');
    end();
    expect(readFileSync(file, 'utf8')).toBe('certificate');
    expect(readdirSync(folder)).toEqual(['ada.txt', 'taken']);
  });

  it('can be a link, as `/dev/stdout` is, and stays a link', () => {
    const link = join(folder, 'link');
    symlinkSync(file, link);
    const { write, end } = certificateFile(link);
    write('next');
    end();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('next');
  });
});
