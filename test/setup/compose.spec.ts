import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSettings } from '@charter/settings';
import { compose, environmentIn, secrets, type Service } from './compose-file';
import { clone } from './image';

const several = compose('docker-compose.yml');
const embedded = compose('docker-compose.embedded.yml');
const ofOurs = (services: Readonly<Record<string, Service>>) =>
  Object.entries(services).filter(([, { build }]) => build !== undefined);
const of = (name: string) => several.services[name]!;
const known = [
  ...readFileSync(join(clone, 'libs/settings/src/environment.ts'), 'utf8').matchAll(/^ {2}([A-Z_]+):/gm),
].map(([, name]) => name!);
/** The settings whose values come from the image or from the compose files. The last three settings are for tests. */
const fixed = [
  ...['PORT', 'HOST', 'CHARTER_DATA', 'CHARTER_DEMO', 'EVENT_LOG', 'EVENT_LOG_ALLOW_INSECURE', 'DOCUMENTS', 'ROLE'],
  ...['RELEASE', 'RATE_LIMITS', 'GOOGLE_ISSUER_URL', 'STRIPE_API_URL'],
];

describe('docker-compose.yml', () => {
  it('runs two equal processes of Charter behind a proxy, with EventStoreDB, PostgreSQL and a mail server for tests', () => {
    expect(Object.keys(several.services).sort()).toEqual([
      'charter-1',
      'charter-2',
      'documents',
      'events',
      'mail',
      'proxy',
    ]);
    expect(of('charter-2')).toEqual(of('charter-1'));
  });

  it.each(['charter-1', 'charter-2'])('%s has only settings that are known and valid', (name) => {
    const settings = parseSettings(environmentIn(of(name)));
    expect(settings).toMatchObject({ role: 'all', host: '0.0.0.0', demo: 'off', trustProxy: ['172.31.251.0/24'] });
    expect(settings.eventStore?.hosts).toEqual([{ address: 'events', port: 2113 }]);
    expect(settings.documentsServer).toMatchObject({ host: 'documents', database: 'charter', user: 'charter' });
    expect(Object.keys(of(name).environment!).filter((setting) => !known.includes(setting))).toEqual([]);
  });

  it.each(Object.keys(secrets))('does not start without %s, and the message says how to make a value', (name) => {
    expect(() => compose('docker-compose.yml', { ...secrets, [name]: '' })).toThrow(`${name}: make one with openssl`);
  });

  it('gives Charter and PostgreSQL the same password', () => {
    expect(of('documents').environment!['POSTGRES_PASSWORD']).toBe(secrets.POSTGRES_PASSWORD);
    expect(of('charter-1').environment!['DOCUMENTS']).toContain(`:${secrets.POSTGRES_PASSWORD}@`);
    expect(of('documents').environment!['POSTGRES_USER']).toBe('charter');
  });

  it('starts each service only after the services that it needs are healthy', () => {
    for (const [name, { depends_on: needs = {} }] of Object.entries(several.services))
      for (const [needed, { condition }] of Object.entries(needs)) {
        expect(`${name} waits for ${needed}: ${condition}`).toContain('service_healthy');
        expect(several.services).toHaveProperty([needed]);
      }
    expect(Object.keys(of('charter-1').depends_on!).sort()).toEqual(['documents', 'events']);
    expect(Object.keys(of('proxy').depends_on!).sort()).toEqual(['charter-1', 'charter-2']);
  });

  it('stores events and documents on volumes, and its event store writes to disk', () => {
    expect(Object.keys(several.volumes!).sort()).toEqual(['documents', 'events', 'events-logs']);
    expect(of('events').volumes).toContain('events:/var/lib/eventstore');
    expect(of('documents').volumes).toContain('documents:/var/lib/postgresql/data');
    expect(JSON.stringify(of('events').environment)).not.toMatch(/MEM_DB|UNSAFE/i);
  });

  it('has the stores on a separate network without internet access, and publishes ports on this machine only', () => {
    expect(several.networks!['stores']).toEqual({ internal: true });
    for (const store of ['events', 'documents']) {
      expect(of(store).networks).toEqual(['stores']);
      expect(of(store).ports).toBeUndefined();
    }
    const ports = Object.values(several.services).flatMap((service) => service.ports ?? []);
    expect(ports).toEqual(['127.0.0.1:8080:8080', '127.0.0.1:8025:8025']);
  });

  it('has a proxy whose configuration names both processes', () => {
    const config = readFileSync(join(clone, 'deploy/haproxy.cfg'), 'utf8');
    for (const server of ['CHARTER_1', 'CHARTER_2']) {
      expect(config).toContain(`"\${${server}}"`);
      expect(Object.keys(several.services)).toContain(of('proxy').environment![server]!.replace(':3000', ''));
    }
    const mounted = of('proxy').volumes!.map((volume) => volume.split(':')[0]!);
    expect(mounted.filter((file) => !existsSync(join(clone, file)))).toEqual([]);
  });
});

describe('docker-compose.embedded.yml', () => {
  it('runs one process of Charter with embedded stores, on a local port, and with a volume that outlives the container', () => {
    const { charter } = embedded.services;
    const settings = parseSettings(environmentIn(charter!));
    expect(settings).toMatchObject({ eventStore: undefined, documentsServer: undefined, data: '/var/lib/charter' });
    expect(charter!.volumes).toEqual([`data:${settings.data}`]);
    expect(Object.keys(embedded.volumes!)).toEqual(['data']);
    expect(charter!.ports).toEqual(['127.0.0.1:3000:3000']);
  });
});

describe.each([
  ['docker-compose.yml', several, ['TRUST_PROXY', 'METRICS_PORT']],
  ['docker-compose.embedded.yml', embedded, []],
])('Each service of %s', (file, { services, networks = {}, volumes = {} }, fixedHere) => {
  it.each(Object.entries(services))(
    'has a pinned version, limited memory, restarts and no unnecessary rights: %s',
    (_, one) => {
      expect(one.image).toMatch(one.build === undefined ? /^[\w./-]+:v?\d+\.\d+(\.\d+)?(-[\w.]+)?$/ : /^charter:/);
      expect(one).toMatchObject({ restart: 'unless-stopped', security_opt: ['no-new-privileges:true'] });
      expect(one.mem_limit).toMatch(/^\d+[mg]$/);
      // the image of Charter contains its health check
      expect(one.build ?? one.healthcheck?.test[0]).toMatch(/^(\.|CMD)$/);
      expect((one.networks ?? []).filter((network) => !(network in networks))).toEqual([]);
      const named = (one.volumes ?? []).map((volume) => volume.split(':')[0]!).filter((name) => !name.startsWith('.'));
      expect(named.filter((name) => !(name in volumes))).toEqual([]);
    },
  );

  it.each(ofOurs(services))('that runs Charter passes every setting that has no fixed value: %s', (name) => {
    const set = Object.fromEntries(known.map((setting) => [setting, `a value of ${setting}`]));
    const { environment = {} } = compose(file, { ...secrets, ...set }).services[name]!;
    const others = known.filter((setting) => environment[setting] !== set[setting]);
    expect(others.sort()).toEqual([...fixed, ...fixedHere].sort());
  });

  it.each(ofOurs(services))(
    'that runs Charter uses its image, can write only to the data folder, and has no capabilities: %s',
    (_, one) => {
      expect(one).toMatchObject({ build: '.', read_only: true, cap_drop: ['ALL'], stop_grace_period: '30s' });
      const data = environmentIn(one)['CHARTER_DATA']!;
      expect([...one.tmpfs!, ...(one.volumes ?? [])].some((place) => place.includes(data))).toBe(true);
    },
  );

  it('belongs to a file that docker compose accepts, if docker compose is installed', () => {
    const docker = (...words: string[]) =>
      spawnSync('docker', ['compose', ...words], { cwd: clone, env: { ...process.env, ...secrets }, encoding: 'utf8' });
    const known = JSON.stringify(docker('version').output).includes('Compose version');
    const { status, stderr } = known ? docker('--file', file, 'config', '--quiet') : { status: 0, stderr: '' };
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
