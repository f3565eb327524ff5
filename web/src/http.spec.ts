import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import { configuredAxios } from './http';

declare const openOrigin: (url: string) => void;

describe('A request of the pages', () => {
  const { defaults } = configuredAxios(axios);

  it('succeeds with a status from 200 to 299 only', () => {
    expect([199, 200, 204, 299, 300, 400, 500].filter((status) => defaults.validateStatus?.(status))).toEqual([
      200, 204, 299,
    ]);
  });

  it('has no timeout, and uses the names of the XSRF cookie and header in the specification', () => {
    expect(defaults).toMatchObject({ timeout: 0, xsrfCookieName: 'XSRF-TOKEN', xsrfHeaderName: 'X-XSRF-TOKEN' });
    expect(defaults.baseURL).toBeUndefined();
  });

  it('sends and accepts JSON', async () => {
    document.cookie = 'XSRF-TOKEN=a.token';
    const sent: { headers: unknown; data: unknown; url: string | undefined }[] = [];
    const wire = configuredAxios(axios);
    wire.defaults.adapter = (config) => {
      sent.push({ headers: config.headers.toJSON(), data: config.data, url: config.url });
      return Promise.resolve({ data: '', status: 204, statusText: '', headers: {}, config });
    };
    await wire.post('/login', { username: 'ada' });
    expect(sent).toEqual([
      {
        url: '/login',
        data: '{"username":"ada"}',
        headers: expect.objectContaining({ Accept: 'application/json', 'Content-Type': 'application/json' }) as unknown,
      },
    ]);
  });

  it('is sent once more with a new XSRF token if the service refuses the first token, but not a third time', async () => {
    document.cookie = 'XSRF-TOKEN=old';
    const tokens: (string | undefined)[] = [];
    const wire = configuredAxios(axios);
    wire.defaults.adapter = (config) => {
      tokens.push(/XSRF-TOKEN=(\w+)/.exec(document.cookie)?.[1]);
      document.cookie = 'XSRF-TOKEN=new';
      const response = { data: { type: '/problems/xsrf' }, status: 403, statusText: '', headers: {}, config };
      return Promise.reject(new axios.AxiosError('403', undefined, config, undefined, response));
    };
    await expect(wire.post('/forgot', { email: 'a@b.example' })).rejects.toMatchObject({ response: { status: 403 } });
    expect(tokens).toEqual(['old', 'new']);
  });

  it('is sent once if the service refuses it with 403 for another reason than the XSRF token', async () => {
    const wire = configuredAxios(axios);
    for (const data of [{ type: '/problems/forbidden' }, { type: '/problems/xsrf-2' }, '/problems/xsrf', '', null]) {
      let sent = 0;
      wire.defaults.adapter = (config) => {
        sent += 1;
        const response = { data, status: 403, statusText: '', headers: {}, config };
        return Promise.reject(new axios.AxiosError('403', undefined, config, undefined, response));
      };
      await expect(wire.post('/forgot', {})).rejects.toMatchObject({ response: { status: 403 } });
      expect([data, sent]).toEqual([data, 1]);
    }
  });
});

describe('XSRF token of a request of the pages', () => {
  const changing = ['POST', 'PUT', 'PATCH', 'DELETE'];
  let own: Listening;
  let foreign: Listening;
  let wire: ReturnType<typeof configuredAxios>;
  beforeAll(async () => {
    [own, foreign] = [await listening(), await listening()];
    openOrigin(`${own.origin}/login`);
    jest.resetModules(); // axios reads the origin of the page when it loads
    wire = configuredAxios((await import('axios')).default);
    document.cookie = 'XSRF-TOKEN=a.token%3D';
  });
  afterAll(() => Promise.all([own.close(), foreign.close()]));

  it('goes out in the header X-XSRF-TOKEN of each changing request to the origin of the page', async () => {
    for (const method of changing) await wire.request({ method, url: '/api/v1/me', data: {} });
    for (const method of changing) await wire.request({ method, url: `${own.origin}/api/v1/me`, data: {} });
    expect(own.received).toEqual([...changing, ...changing].map((method) => [method, 'a.token=']));
  });

  it('is absent from each request to another origin', async () => {
    for (const method of ['GET', ...changing]) await wire.request({ method, url: `${foreign.origin}/hook`, data: {} });
    expect(foreign.received).toEqual(['GET', ...changing].map((method) => [method, undefined]));
  });
});

type Listening = Awaited<ReturnType<typeof listening>>;

/**
 * A server that allows each request of another origin. `received` contains the method and the XSRF token of each
 * request, but not of the requests with which a browser first asks for permission.
 */
async function listening() {
  const received: [method: string | undefined, token: IncomingMessage['headers'][string]][] = [];
  const server = createServer(({ method, headers }, response) => {
    if (method !== 'OPTIONS') received.push([method, headers['x-xsrf-token']]);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Methods', '*');
    response.setHeader('Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? '*');
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close };
}
