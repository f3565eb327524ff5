import { z } from 'zod';
import { type FullOrganization, fullOrganization } from '../support/requests/full-organization';
import { type Served, serving } from '../support/serving';

type Schema = Parameters<typeof z.fromJSONSchema>[0];
type Operation = Readonly<{
  operationId: string;
  security?: readonly object[];
  requestBody?: Readonly<{ content: Readonly<Record<string, { schema: Schema }>> }>;
}>;
type Receipt = Readonly<{ events?: readonly { type: string }[] }>;
type Sample = Readonly<{
  name: string;
  method: string;
  path: string;
  operation: Operation;
  body: unknown;
  answer: Receipt;
}>;

let served: Served;
let key: string;
let samples: readonly Sample[];
let components: object;

beforeAll(async () => {
  served = await serving();
  key = await served.key();
  const { body } = await served.ask('GET', '/api/openapi.json');
  components = body.components.schemas;
  const page = (await served.ask('GET', '/api/docs')).text;
  samples = Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const shown = sampleOn(page, operation.operationId);
      if (shown === undefined) return [];
      const answer = answerOn(page, operation.operationId);
      return [{ name: `${method} ${path}`, method, path, operation, body: shown, answer }];
    }),
  );
});
afterAll(() => served.close());

/** The `curl` command and the answer that the page shows for an operation. */
function codeOn(page: string, operation: string): readonly string[] {
  const [, article = ''] = page.split(`<article id="${operation}"`);
  return [...article.split('</article>')[0]!.matchAll(/<pre><code>([^<]*)</g)].map(([, code = '']) =>
    code.replaceAll(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number))),
  );
}

/** The body in the `curl` command that the page shows for an operation. */
function sampleOn(page: string, operation: string): unknown {
  const [, body] = /-d '([^]*)'$/.exec(codeOn(page, operation)[0] ?? '') ?? [];
  return body === undefined ? undefined : JSON.parse(body);
}

/** The answer that the page shows for an operation; empty if it is not JSON. */
function answerOn(page: string, operation: string): Receipt {
  const shown = codeOn(page, operation)[1] ?? '';
  return shown.startsWith('{') ? (JSON.parse(shown) as Receipt) : {};
}

/** The schema in a form that zod reads: with `$defs`, and without a pattern that needs the flag `u`. */
function checkable(schema: object): Schema {
  const text = JSON.stringify({ ...schema, $defs: components })
    .replaceAll('#/components/schemas/', '#/$defs/')
    .replaceAll(String.raw`"^[^\\p{Cc}\\p{Cs}\\p{Bidi_Control}]*$"`, '"^.*$"');
  return JSON.parse(text) as Schema;
}

const pathOf = ({ path }: Sample, here: FullOrganization) =>
  path.replace(/\{(\w+)\}$|\{(\w+)\}/g, (_, last?: string, inner?: string) => {
    const name = (last ?? inner)!;
    if (name === 'id') return here.id;
    if (name === 'user') return here.member;
    return { site: here.site, purchase: here.purchase, key: 'feedback' }[name] ?? name;
  });

/** The operation whose sample would make the service ask a provider on the internet. */
const UNSENT = 'put /api/v1/organizations/{id}/single-sign-on';
/** The id in the samples, in whose place the spec sends the id of an existing organization. */
const SAMPLE_ID = /0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11/g;

describe('A sample body on the page of the API reference', () => {
  it('has the form of the schema of its operation', () => {
    expect(samples.length).toBeGreaterThan(40);
    for (const { name, operation, body } of samples) {
      const { schema } = operation.requestBody!.content['application/json']!;
      const checked = z.fromJSONSchema(checkable(schema as object)).safeParse(body);
      expect([name, checked.error?.issues]).toEqual([name, undefined]);
    }
  });

  it('is accepted by the service, if a call with an API key sends it; the page shows the type of the recorded event', async () => {
    const keyed = samples.filter(({ operation }) => (operation.security ?? []).some((one) => 'bearer' in one));
    const sent = keyed.filter(({ name }) => name !== UNSENT);
    expect([sent.length > 25, keyed.length - sent.length]).toEqual([true, 1]);
    const [refused, recorded, shown]: Record<string, unknown>[] = [{}, {}, {}];
    for (const sample of sent) {
      const here = await fullOrganization(served, key);
      const { status, body } = await served.ask(sample.method.toUpperCase(), pathOf(sample, here), {
        key,
        body: JSON.parse(JSON.stringify(sample.body).replaceAll(SAMPLE_ID, here.id)) as object,
      });
      if (status >= 300) refused![sample.name] = body;
      if (sample.name.endsWith('/preview') || !(body as Receipt).events?.[0]) continue;
      [recorded![sample.name], shown![sample.name]] = [body as Receipt, sample.answer].map(
        ({ events }) => events![0]!.type,
      );
    }
    expect(refused).toEqual({});
    expect(Object.keys(shown!).length).toBeGreaterThan(10);
    expect(shown).toEqual(recorded);
  });
});
