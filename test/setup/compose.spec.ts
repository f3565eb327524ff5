import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const compose = parse(read('docker-compose.yml'));
const { charter } = compose.services;
const dockerfile: string[] = charter.build.dockerfile_inline.trim().split('\n');

describe('docker-compose.yml', () => {
  it('runs one Charter on its embedded stores', () => {
    expect(Object.keys(compose.services)).toEqual(['charter']);
    expect(charter.environment).not.toHaveProperty('EVENT_LOG');
    expect(charter.environment).not.toHaveProperty('DOCUMENTS');
  });

  it('keeps the stores in a volume that outlives the container', () => {
    const [volume, folder] = charter.volumes[0].split(':');
    expect(Object.keys(compose.volumes)).toContain(volume);
    expect(charter.environment.CHARTER_DATA).toBe(folder);
  });

  it('is reachable from this machine only, and never in demo mode', () => {
    expect(charter.ports).toEqual(['127.0.0.1:3000:3000']);
    expect(charter.environment).toMatchObject({ HOST: '0.0.0.0', CHARTER_DEMO: 'off' });
  });

  it('has the Node that .nvmrc and package.json name', () => {
    expect(dockerfile[0]).toBe(`FROM node:${read('.nvmrc').trim()}-bookworm-slim`);
    expect(JSON.parse(read('package.json')).engines.node).toMatch(new RegExp(`^>=${read('.nvmrc').trim()}\\.`));
  });

  it('copies what is there, and all that making ready and building need', () => {
    const copied = dockerfile
      .filter((line) => line.startsWith('COPY '))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(copied.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(copied).toEqual(
      expect.arrayContaining(['package.json', 'package-lock.json', 'nest-cli.json', 'tsconfig.json', 'libs', 'apps']),
    );
  });

  it('starts as the README does, as nobody special, and is asked whether it is ready', () => {
    expect(dockerfile.slice(-2)).toEqual(['USER node', 'CMD ["npm", "start"]']);
    expect(charter.healthcheck.test.join(' ')).toContain('/health/ready');
  });
});
