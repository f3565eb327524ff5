import { Project } from './project';

const charter = 'bin/charter.mjs';
/** Makes a Node say that it is an old one; what it starts is the present one again. */
const old = '--import=data:text/javascript,Object.defineProperty(process,"version",{value:"v20.11.0"})';
let project: Project;

beforeAll(() => {
  project = new Project();
});
afterAll(() => project.remove());

describe('the command line', () => {
  it('makes itself ready first, and keeps stdout for what it was asked', () => {
    const { code, stdout, stderr } = project.run([charter, 'verify', '0', 'a b']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '["verify","0","a b"]\n' });
    expect(stderr).toMatch(/Installing.*Building/s);
    expect(project.run([charter, 'verify']).stderr).toBe('');
  });

  it('is where npx looks for it', () => {
    const npx = ['-p', `require('node:child_process').execFileSync('npx', ['charter', 'x'], { encoding: 'utf8' })`];
    expect(project.run(npx)).toMatchObject({ code: 0, stdout: expect.stringContaining('["x"]') });
    expect(project.run(['node_modules/.bin/charter', 'x'])).toMatchObject({ code: 0, stdout: '["x"]\n', stderr: '' });
  });

  describe.each([
    ['in this Node', [charter]],
    ['in the newer one', [old, charter]],
  ])('%s', (_where, door) => {
    it.each([0, 1, 2])('passes the exit code %i through', (code) => {
      expect(project.run([...door, 'verify', String(code)])).toMatchObject({ code, stderr: '' });
    });

    it.each(['SIGTERM', 'SIGINT'] as const)('ends by %s when it is sent one', async (signal) => {
      expect(await project.start([...door, 'wait'], signal)).toMatchObject({ signal, stdout: '["wait"]\n' });
    });
  });

  it('says why when there is nothing to run', () => {
    project.write('broken', '');
    project.write('apps/api/src/main.ts', 'what?');
    expect(project.run([charter, 'verify'])).toMatchObject({ code: 1, stdout: '' });
  });
});
