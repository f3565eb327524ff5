import fs, {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreRefused } from '@charter/event-log';
import { keysFrom } from './derived-keys';
import { signerFrom } from './history/checkpoint-key';

describe('Keys derived from the session secret', () => {
  const data = mkdtempSync(join(tmpdir(), 'charter-secret-'));
  const folder = join(data, 'new');
  afterAll(() => rmSync(data, { recursive: true }));

  it("come from a secret in a file that only the file's owner can read, and stay the same after a restart", () => {
    const key = () => keysFrom({ sessionSecret: undefined, data: folder })('xsrf').export();
    const first = key();
    expect(key()).toEqual(first);
    expect(statSync(join(folder, 'session-secret')).mode & 0o777).toBe(0o600);
  });

  it('stay the same if the file gets a line break at its end', () => {
    const key = () => keysFrom({ sessionSecret: undefined, data: folder })('xsrf').export();
    const first = key();
    appendFileSync(join(folder, 'session-secret'), '\n');
    expect(key()).toEqual(first);
  });

  it('differ for each purpose and for each secret', () => {
    const keys = keysFrom({ sessionSecret: 'x'.repeat(32), data });
    const others = keysFrom({ sessionSecret: 'y'.repeat(32), data });
    const all = [keys('xsrf'), keys('sign-in'), keys('secrets'), others('xsrf')].map((key) =>
      key.export().toString('hex'),
    );
    expect(new Set(all).size).toBe(4);
    expect(all.every((key) => key.length === 64)).toBe(true);
  });

  it('never come from a file that is empty or cut off', () => {
    for (const text of ['', 'x'.repeat(31)]) {
      writeFileSync(join(folder, 'session-secret'), text);
      expect(() => keysFrom({ sessionSecret: undefined, data: folder })).toThrow(StoreRefused);
    }
  });
});

describe('The files of the secrets', () => {
  const makers = {
    'session-secret': (data: string) => keysFrom({ sessionSecret: undefined, data })('xsrf').export(),
    'checkpoint-key': (data: string) => signerFrom({ checkpointKey: undefined, data }).verifierKey,
  };
  let data: string;
  beforeEach(() => (data = mkdtempSync(join(tmpdir(), 'charter-secret-'))));
  afterEach(() => rmSync(data, { recursive: true }));

  it.each(Object.entries(makers))(
    '%s does not exist if the disk was full, so the next start creates it',
    (name, make) => {
      const write = jest.spyOn(fs, 'writeFileSync').mockImplementationOnce((file) => {
        closeSync(openSync(file as string, 'wx'));
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      });
      expect(() => make(data)).toThrow(/cannot be written/);
      write.mockRestore();
      expect(readdirSync(data)).toEqual([]);

      const first = make(data);
      expect(readdirSync(data)).toEqual([name]);
      expect(make(data)).toEqual(first);
    },
  );

  it.each(Object.entries(makers))('%s is created on a file system without hard links', (name, make) => {
    const link = jest.spyOn(fs, 'linkSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
    });
    const first = make(data);
    link.mockRestore();
    expect(readdirSync(data)).toEqual([name]);
    expect(make(data)).toEqual(first);
  });

  it.each(Object.entries(makers))('%s is refused if it is a folder', (name, make) => {
    mkdirSync(join(data, name));
    expect(() => make(data)).toThrow(StoreRefused);
  });
});
