import { gzipSync } from 'node:zlib';
import { everyRightRequest, signInRoutes } from '../support/requests/right-requests';
import { type Route, routesOf } from '../support/requests/routes';
import { type Served, serving } from '../support/serving';

type Node = Readonly<Record<string, unknown>>;
type Operation = Readonly<{
  parameters?: readonly Readonly<{ name: string; in: string; required?: boolean; schema: Node }>[];
  requestBody?: Readonly<{ content: Readonly<Record<string, { schema: Node }>> }>;
  responses: Readonly<Record<string, Readonly<{ description: string; content?: object }>>>;
  security?: readonly object[];
  operationId: string;
}>;
type OpenApi = Readonly<{
  openapi: string;
  info: Readonly<{ title: string; version: string }>;
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Node;
}>;

let served: Served;
let document: OpenApi;
beforeAll(async () => {
  served = await serving();
  document = (await served.ask('GET', '/api/openapi.json')).body;
});
afterAll(() => served.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
const nameOf = ({ path, method }: { path: string; method: string }) =>
  `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;

describe('OpenAPI document', () => {
  it('has version 3.1, and names the service and its release', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: 'Charter', version: served.charter.settings.release });
    expect(document.components).toMatchObject({ securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } });
  });

  it('has every route of the API, and no other', async () => {
    const pages =
      /^GET \/(charter\.css|favicon\.ico|metrics|dev\/.*|api\/.*|assets\/.*|auth\/.*|forgot|verify|problems\{.*|(login|reset|invitation|email\/confirm|org|me)\{.*|)$/;
    const routes = (await routesOf(served.runtime)).filter(
      (route) => !pages.test(route) || route.startsWith('GET /api/v1'),
    );
    expect(operations().map(nameOf).sort()).toEqual([...routes].sort());
  });

  it('contains only references to existing targets', () => {
    const references = [...nodesIn(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    expect(references.length).toBeGreaterThan(10);
    expect(references.filter((reference) => resolve(document, reference) === undefined)).toEqual([]);
  });

  it('declares every path parameter once, and gives every operation its own name', () => {
    for (const { path, operation } of operations()) {
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect([path, declared.map(({ name }) => name).sort()]).toEqual([
        path,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort(),
      ]);
      expect(declared.every(({ required, schema }) => required && Object.keys(schema).length > 0)).toBe(true);
    }
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has a schema for each request body that an operation accepts, and no request body for other operations', () => {
    for (const operation of operations()) {
      const right = everyRightRequest[nameOf(operation) as `GET /${string}`]?.(nowhere);
      const content = operation.operation.requestBody?.content;
      expect([nameOf(operation), content && Object.keys(content)]).toEqual([
        nameOf(operation),
        right?.body ? ['application/json'] : undefined,
      ]);
      if (content) expect(Object.keys(deref(content['application/json']!.schema)).length).toBeGreaterThan(0);
    }
  });

  it('names the required field of the request body that adds a member', () => {
    const schema = deref(
      document.paths['/api/v1/organizations/{id}/members']!['post']!.requestBody!.content['application/json']!.schema,
    );
    expect(schema).toMatchObject({ type: 'object', required: ['role'], additionalProperties: false });
    expect((schema['properties'] as Node)['role']).toMatchObject({ enum: ['owner', 'admin', 'member'] });
  });

  it('says for each operation whether it accepts an API key, and that it may answer with a problem document', () => {
    for (const operation of operations()) {
      const isOpen =
        /^\/(health|\.well-known|webhooks|ofrep\/v1\/event-streams)(\/|$)/.test(operation.path) ||
        signInRoutes.includes(nameOf(operation) as Route);
      const takesKey =
        !/^\/api\/v1\/(me|keys|accounts|mails|billing\/quarantine|catalogue\/(check|terms)|.*\/readers|.*\/checkout|.*\/verified-domains)(\/|$)/.test(
          operation.path,
        );
      const schemes = (operation.operation.security ?? []).flatMap((one) => Object.keys(one));
      expect([nameOf(operation), schemes]).toEqual([
        nameOf(operation),
        isOpen ? [] : takesKey ? ['bearer', 'cookieAuth'] : ['cookieAuth'],
      ]);
      const { responses } = operation.operation;
      const failure = operation.path.startsWith('/ofrep/') ? 'application/json' : 'application/problem+json';
      expect(responses['default']).toMatchObject({ content: { [failure]: expect.anything() } });
      expect(Object.values(responses).every(({ description }) => typeof description === 'string')).toBe(true);
    }
  });

  it('contains neither `nullable` nor a boolean `exclusiveMinimum`, which OpenAPI 3.1 does not have', () => {
    const outdated = [...nodesIn(document)].filter(
      (node) => 'nullable' in node || typeof node['exclusiveMinimum'] === 'boolean',
    );
    expect(outdated).toEqual([]);
  });
});

describe('Page', () => {
  it('of the API reference loads everything from this server', async () => {
    const page = await served.ask('GET', '/api/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    const loaded = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(
      ([, address]) => new URL(address!, `${served.url}/api/docs`),
    );
    expect(loaded.length).toBeGreaterThan(3);
    for (const address of loaded) {
      expect(address.origin).toBe(served.url);
      const asset = await served.ask('GET', address.pathname);
      expect([address.pathname, asset.status]).toEqual([address.pathname, 200]);
    }
    // the Content-Security-Policy would block inline scripts and inline styles
    expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
  });

  it('of the API reference shows each operation with its statuses, and with a call and an answer as examples', async () => {
    const { text } = await served.ask('GET', '/api/docs');
    for (const { path, method, operation } of operations()) {
      const [, shown = ''] = text.split(`<article id="${operation.operationId}"`);
      const article = shown.split('</article>')[0]!.replaceAll(/<wbr \/>|&#39;/g, '');
      expect(article).toContain(`${path}</code>`);
      const [call, answer] = [...article.matchAll(/<pre><code>([^<]*)<\/code><\/pre>/g)].map(([, code]) => code!);
      expect(call).toContain(method === 'get' ? 'curl ' : `curl -X ${method.toUpperCase()} `);
      expect(call).toContain(path);
      expect([operation.operationId, answer]).toEqual([operation.operationId, expect.stringMatching(/\S/)]);
      const statuses = [...article.matchAll(/<dt><code>(\w+)<\/code><\/dt>/g)].map(([, status]) => status);
      expect([operation.operationId, statuses.sort()]).toEqual([
        operation.operationId,
        Object.keys(operation.responses).sort(),
      ]);
    }
  });

  it('of the API reference shows calls to the address of this server, with the credentials that their operations accept', async () => {
    const { text } = await served.ask('GET', '/api/docs');
    const address = `http://localhost:${new URL(served.url).port}`;
    expect(text).toContain(`Every address begins with <code>${address}</code>`);
    for (const { method, operation } of operations()) {
      const [, shown = ''] = text.split(`<article id="${operation.operationId}"`);
      const call = /<pre><code>([^<]*)</.exec(shown)![1]!;
      expect(call).toContain(`&#39;${address}/`);
      const schemes = (operation.security ?? []).flatMap((one) => Object.keys(one));
      const sent = [/Authorization: Bearer/, /charter=…/, /XSRF-TOKEN=…/, /X-XSRF-TOKEN: …/].map((part) =>
        part.test(call),
      );
      const takesKey = schemes.includes('bearer');
      const needsSession = schemes.length > 0 && !takesKey;
      const needsToken = needsSession && method !== 'get';
      expect([operation.operationId, sent]).toEqual([
        operation.operationId,
        [takesKey, needsSession, needsToken, needsToken],
      ]);
    }
  });

  it('of the API reference is compressed only for a client that accepts gzip', async () => {
    const plain = await served.ask('GET', '/api/docs');
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    for (const [at, expected] of [
      ['/api/docs', plain.text],
      ['/api/openapi.json', (await served.ask('GET', '/api/openapi.json')).text],
    ] as const) {
      const answer = await fetch(`${served.url}${at}`, { headers: { 'Accept-Encoding': 'gzip' } });
      expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding']);
      expect(await answer.text()).toBe(expected);
    }
  });

  it('of the API reference describes each schema, and links only to places that exist on the page', async () => {
    const { text } = await served.ask('GET', '/api/docs');
    const ids = new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!));
    for (const name of Object.keys(document.components['schemas'] as Node)) expect(ids).toContain(`schema-${name}`);
    const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
    expect(links.length).toBeGreaterThan(ids.size / 2);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('of the API reference has at most 64 KB when it is compressed', async () => {
    const { text } = await served.ask('GET', '/api/docs');
    expect(gzipSync(text).length).toBeLessThan(64 * 1024);
  });

  it('at / names the release, and loads everything from this server', async () => {
    const { status, headers, text } = await served.ask('GET', '/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain(served.charter.settings.release);
    for (const [, address] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      // skips the link to /dev/mail, which exists only in demo mode, and links within this page
      if (address === '/dev/mail' || address!.startsWith('#')) continue;
      expect([address, (await served.ask('GET', address!)).status]).toEqual([address, 200]);
    }
  });

  it('loads a style sheet with the security headers that the answers of the API also have', async () => {
    const secure = await serving({ environment: { PUBLIC_URL: 'https://charter.example' } });
    const by = await secure.key();
    const made = await secure.ask('POST', '/api/v1/organizations', { key: by, body: { name: 'Acme' } });
    const at = `/api/v1/organizations/${made.body.id}`;
    const member = { user: made.body.id, role: 'member' };
    const answers = [
      made,
      await secure.ask('GET', `${at}/entitlements/users`, { key: by }),
      await secure.ask('GET', `${at}/entitlements/users?`, { key: by }),
      await secure.ask('POST', `${at}/members`, { key: by, body: member }),
      await secure.ask('POST', `${at}/members`, { key: by, body: { user: 'unknown' } }),
      await secure.ask('GET', '/nowhere'),
      await secure.ask('GET', '/charter.css'),
    ];
    for (const { headers } of answers)
      expect(headers).toMatchObject({
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'request-id': expect.any(String),
      });
    await secure.close();
  });
});

const nowhere = {
  id: '0',
  owner: '0',
  member: '0',
  site: '0',
  qualityAssuranceDomain: '0',
  webAnalyticsDomain: '0',
  purchase: '0',
  provider: { issuer: '0', client: { id: '0', secret: '0' } },
};

function* nodesIn(value: unknown): Iterable<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const inner of Object.values(value)) yield* nodesIn(inner);
}

const resolve = (root: object, reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>(
      (node, step) => (node as Node | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      root,
    );

const deref = (schema: Node): Node =>
  typeof schema['$ref'] === 'string' ? (resolve(document, schema['$ref']) as Node) : schema;
