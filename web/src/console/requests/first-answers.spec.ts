import { firstAnswer, hasFirstAnswers } from './first-answers';
import { requestLog } from './request-log';

const ADDRESS = '/api/v1/organizations/7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10';
const page = window as { firstAnswers?: Record<string, Promise<unknown>> };
afterEach(() => delete page.firstAnswers);

const response = (status: number, body = '{"name":"Northwind"}') => ({
  ok: status === 200,
  status,
  json: () => Promise.resolve(body).then(JSON.parse),
  headers: new Map([
    ['etag', '"7"'],
    ['request-id', 'req-1'],
  ]),
});

describe('The answer to a request of `first-requests.js`', () => {
  it('is used for only one request of the console, with its status, body and headers', async () => {
    page.firstAnswers = { [ADDRESS]: Promise.resolve(response(200)) };
    expect(hasFirstAnswers()).toBe(true);
    expect(await firstAnswer(ADDRESS)).toEqual({
      data: { name: 'Northwind' },
      status: 200,
      headers: { etag: '"7"', 'request-id': 'req-1' },
    });
    expect(await firstAnswer(ADDRESS)).toBeUndefined();
  });

  it('is in the log of requests', async () => {
    page.firstAnswers = { [ADDRESS]: Promise.resolve(response(200)) };
    await firstAnswer(ADDRESS);
    const [newest] = requestLog.all();
    expect(newest).toMatchObject({ method: 'GET', address: ADDRESS, fields: [], status: 200, request: 'req-1' });
  });

  it('is not used more than 10 seconds after the scripts were loaded, because the data can be older than a later change', async () => {
    page.firstAnswers = { [ADDRESS]: Promise.resolve(response(200)) };
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 10_001);
    expect(await firstAnswer(ADDRESS)).toBeUndefined();
    jest.restoreAllMocks();
  });

  it.each([
    ['the document sent no request', {}],
    ['the request failed', { [ADDRESS]: Promise.resolve(undefined) }],
    ['the service refused the request', { [ADDRESS]: Promise.resolve(response(404)) }],
    ['the body is not JSON', { [ADDRESS]: Promise.resolve(response(200, '<html>')) }],
    ['the document requested another address', { [`${ADDRESS}/standing`]: Promise.resolve(response(200)) }],
  ])('is missing if %s', async (_, answers) => {
    page.firstAnswers = answers;
    expect(await firstAnswer(ADDRESS)).toBeUndefined();
  });

  it('is not expected on a page whose document sent no requests', () => {
    expect(hasFirstAnswers()).toBe(false);
  });
});
