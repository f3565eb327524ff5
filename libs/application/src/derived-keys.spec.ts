import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keysFrom } from './derived-keys';

describe('Keys derived from the session secret', () => {
  const data = mkdtempSync(join(tmpdir(), 'charter-secret-'));
  const folder = join(data, 'new');
  afterAll(() => rmSync(data, { recursive: true }));

  it("come from a secret in a file that only the file's owner can read, and stay the same after a restart", () => {
    const first = keysFrom({ sessionSecret: undefined, data: folder })('xsrf');
    expect(keysFrom({ sessionSecret: undefined, data: folder })('xsrf')).toEqual(first);
    expect(statSync(join(folder, 'session-secret')).mode & 0o777).toBe(0o600);
  });

  it('differ for each purpose and for each secret', () => {
    const keys = keysFrom({ sessionSecret: 'x'.repeat(32), data });
    const others = keysFrom({ sessionSecret: 'y'.repeat(32), data });
    const all = [keys('xsrf'), keys('sign-in'), keys('secrets'), others('xsrf')].map((key) => key.toString('hex'));
    expect(new Set(all).size).toBe(4);
    expect(all.every((key) => key.length === 64)).toBe(true);
  });
});
