import { problemReasons, problemTypeOf, problemTypes } from '@charter/problems';
import { type Served, serving } from '../support/serving';

let served: Served;
beforeAll(async () => void (served = await serving()));
afterAll(() => served.close());

/** The text of a page, without its markup. */
const textOf = (page: string) =>
  page
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, ' ');

describe('The page of a problem type', () => {
  it.each(problemReasons)('says the meaning and the remedy of %s at the address that is the type', async (reason) => {
    const { status, headers, text } = await served.ask('GET', problemTypeOf(reason).type);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const { title, meaning, remedy } = problemTypes[reason];
    for (const part of [title, meaning, remedy]) expect(textOf(text)).toContain(part.replaceAll('`', ''));
    expect(text).toContain(`<title>${title} · Charter</title>`);
  });

  it('exists for the problem of a refused request', async () => {
    const { body } = await served.ask('GET', '/api/v1/organizations');
    expect(body.status).toBe(401);
    expect((await served.ask('GET', body.type)).text).toContain(`<h1>${body.title}</h1>`);
  });

  it('loads only files that exist, and links only to pages that exist', async () => {
    const { text } = await served.ask('GET', '/problems/limit-exceeded');
    const addresses = [...text.matchAll(/(?:src|href)="([^"#]+)/g)].map(([, address]) => address!);
    expect(addresses).toEqual(expect.arrayContaining(['/problems', '/api/docs']));
    for (const address of new Set(addresses))
      expect([address, (await served.ask('GET', address)).status]).toEqual([address, 200]);
  });

  it.each(['nonsense', 'constructor', '%3Cscript%3E'])('is 404 for the unknown reason %s', async (reason) => {
    const { status, text } = await served.ask('GET', `/problems/${reason}`);
    expect(status).toBe(404);
    expect(text).toContain('<h1>There is no such problem</h1>');
    expect(text).not.toContain('<script>');
  });
});

it('The list of problem types links to the page of each type once', async () => {
  const { status, text } = await served.ask('GET', '/problems');
  expect(status).toBe(200);
  const links = [...text.matchAll(/href="(\/problems\/[^"]+)"/g)].map(([, address]) => address!);
  expect(links.sort()).toEqual(problemReasons.map((reason) => problemTypeOf(reason).type).sort());
});
