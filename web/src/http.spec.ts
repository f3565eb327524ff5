import axios from 'axios';
import { configuredAxios } from './http';

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

  it('sends and accepts JSON, and sends the XSRF token from the cookie', async () => {
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
});
