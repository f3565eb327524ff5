import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { version } from '@charter/settings';
import { Project } from './project';

const charter = 'bin/charter.mjs';
/**
 * An option that makes a Node process report an old version. The child processes of such a process report the real
 * version.
 */
const old = '--import=data:text/javascript,Object.defineProperty(process,"version",{value:"v20.11.0"})';
let project: Project;

beforeAll(() => {
  project = new Project();
});
afterAll(() => project.remove());

describe('The command line', () => {
  it("first installs and builds, with messages on stderr, and then prints only the command's output on stdout", () => {
    const { code, stdout, stderr } = project.run([charter, 'verify', '0', 'a b']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '["verify","0","a b"]\n' });
    expect(stderr).toMatch(/Installing.*Building/s);
    expect(project.run([charter, 'verify']).stderr).toBe('');
  });

  it('can be run as ./charter, by the link in the root folder', () => {
    const root = resolve(__dirname, '../..');
    const link = join(root, 'charter');
    expect(realpathSync(link)).toBe(join(root, charter));
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
    expect(execFileSync(link, ['--version'], { env, encoding: 'utf8' })).toBe(`${version}\n`);
  });

  it('can be run with npx', () => {
    const npx = ['-p', `require('node:child_process').execFileSync('npx', ['charter', 'x'], { encoding: 'utf8' })`];
    expect(project.run(npx)).toMatchObject({ code: 0, stdout: expect.stringContaining('["x"]') });
    expect(project.run(['node_modules/.bin/charter', 'x'])).toMatchObject({ code: 0, stdout: '["x"]\n', stderr: '' });
  });

  describe.each([
    ['started by a current Node,', [charter]],
    ['started by an old Node,', [old, charter]],
  ])('%s', (_where, command) => {
    it.each([0, 1, 2])('exits with the exit code %i of the program', (code) => {
      expect(project.run([...command, 'verify', String(code)])).toMatchObject({ code, stderr: '' });
    });

    it.each(['SIGTERM', 'SIGINT'] as const)('ends by the signal %s when it receives this signal', async (signal) => {
      expect(await project.start([...command, 'wait'], signal)).toMatchObject({ signal, stdout: '["wait"]\n' });
    });
  });

  it('exits with 1 and prints nothing on stdout if the build fails', () => {
    project.write('broken', '');
    project.write('apps/api/src/main.ts', 'what?');
    expect(project.run([charter, 'verify'])).toMatchObject({ code: 1, stdout: '' });
  });
});
