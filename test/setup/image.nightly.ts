import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clone, filesIn, Image, stages } from './image';
import { Container } from './running-image';

// The Dockerfile installs packages. Without a package registry, this spec fails; SPEC_OFFLINE=1 excludes it.

describe('Image made from the Dockerfile', () => {
  let image: Image;
  let container: Container;
  let server: ChildProcess;
  let printed = '';
  const ends: (() => unknown)[] = [];
  const url = async (path: string) => `http://127.0.0.1:${await container.port}${path}`;

  beforeAll(() => {
    image = new Image();
    ends.push(() => image.remove());
    for (const stage of stages) image.make(stage);
    container = new Container(image, stages.at(-1)!);
  }, 600_000);
  afterAll(() => ends.forEach((end) => end()));

  it('reports that it is not healthy if no server runs', async () => {
    expect(await container.checkHealth()).toMatchObject({ code: 1 });
  });

  it('starts without development dependencies, on a root folder that it cannot write to, and is healthy', async () => {
    const before = filesIn(image.root('image')).length;
    server = await container.serve();
    ends.push(() => server.kill('SIGKILL'));
    for (const stream of [server.stdout!, server.stderr!]) stream.on('data', (chunk) => (printed += String(chunk)));
    const until = Date.now() + 20_000;
    while ((await container.checkHealth()).code !== 0) {
      if (server.exitCode !== null || Date.now() > until) throw new Error(`It is not healthy: ${printed}`);
      await pause(100);
    }
    const written = filesIn(image.root('image')).length - before;
    expect(written).toBeGreaterThan(0);
    expect(filesIn(container.data).length).toBe(written); // all new files are in the data folder
  });

  it('serves its pages and the reference of its HTTP interface, and contains a valid catalogue', async () => {
    expect(await (await fetch(await url('/login'))).text()).toContain('<form');
    expect((await fetch(await url('/api/openapi.json'))).status).toBe(200);
    expect((await fetch(await url('/api/docs'))).status).toBe(200);
    const { code, stdout } = await container.run(['catalogue', 'check', '--json']);
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 0 });
  });

  it('contains the command line, which can make the first key while the server runs', async () => {
    const words = ['keys', 'create', '--name', 'first', '--scopes', 'organizations:operate', '--json'];
    const { key } = JSON.parse((await container.run(words)).stdout) as { key: string };
    const founded = await fetch(await url('/api/v1/organizations'), {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: '{"name":"Acme"}',
    });
    expect(founded.status).toBe(201);
  });

  it('ends without an error on SIGTERM, which a container engine sends', async () => {
    const over = once(server, 'exit');
    server.kill('SIGTERM');
    expect(await over).toEqual([0, null]);
    expect(printed).not.toMatch(/"level":(50|60)/);
  }, 20_000);

  it('contains no secret, no settings and no store, and no file that only developers need', () => {
    const files = filesIn(join(image.root('image'), 'charter')).filter((file) => !file.startsWith('node_modules/'));
    expect(files.filter((file) => /(^|\/)\.env|\.(db|pem|key|log|ts|tsx|md)$|\.spec\./.test(file))).toEqual([]);
    expect([...new Set(files.map((file) => file.split('/')[0]))].sort()).toEqual(['LICENSE', 'dist', 'package.json']);
    const brought = new Set(filesIn(join(image.root('image'), 'charter/node_modules')).map(packageOf));
    expect(brought).toContain('@nestjs/core');
    expect(onlyForDevelopment().filter((name) => brought.has(name))).toEqual([]);
  });
});

const packageOf = (file: string) => /^(@[^/]+\/)?[^/]+/.exec(file)![0];

/** The packages that the lock file marks as needed only for development. */
function onlyForDevelopment(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const names = Object.entries(packages)
    .filter(([, { dev }]) => dev)
    .map(([path]) => path.replace('node_modules/', ''));
  return names.filter((name) => !name.includes('node_modules/'));
}
