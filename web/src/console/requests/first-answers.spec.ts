import { firstAnswer } from './first-answers';

const ADDRESS = '/api/v1/organizations/7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10';
const page = window as { firstAnswers?: Record<string, Promise<unknown>> };
afterEach(() => delete page.firstAnswers);

const response = (status: number) => ({
  ok: status === 200,
  status,
  text: () => Promise.resolve('{"name":"Northwind"}'),
  headers: new Map([['etag', '"7"']]),
});

describe('The answer to a request of `first-requests.js`', () => {
  it('replaces only one request, with its body and its headers', async () => {
    page.firstAnswers = { [ADDRESS]: Promise.resolve(response(200)) };
    const adapter = await firstAnswer(ADDRESS);
    expect(await adapter?.({} as never)).toMatchObject({
      data: '{"name":"Northwind"}',
      status: 200,
      headers: { etag: '"7"' },
    });
    expect(await firstAnswer(ADDRESS)).toBeUndefined();
  });

  it.each([
    ['the document sent no request', {}],
    ['the request failed', { [ADDRESS]: Promise.resolve(undefined) }],
    ['the service refused the request', { [ADDRESS]: Promise.resolve(response(404)) }],
    ['the document requested another address', { [`${ADDRESS}/standing`]: Promise.resolve(response(200)) }],
  ])('is missing if %s', async (_, answers) => {
    page.firstAnswers = answers;
    expect(await firstAnswer(ADDRESS)).toBeUndefined();
  });
});
