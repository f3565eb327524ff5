import { type Html, html, marked } from '../pages/html';
import {
  type ApiOperation,
  type ApiResponse,
  isProblem,
  type Media,
  type PlacedOperation,
  type Schemas,
} from './document';
import { fieldView, schemaView, typeOf } from './schema-view';
import { sampleOf } from './samples';

type Context = Readonly<{ schemas: Schemas; url: string; cookie: string }>;

/** One operation: its callers, parameters and body, a call to copy, and each of its answers. */
export function operationView({ method, path, operation }: PlacedOperation, context: Context): Html {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  return html`<article id="${operationId}" aria-labelledby="${operationId}-name">
    <div class="words">
      <h3 id="${operationId}-name">${routeView(method, path)}</h3>
      <p class="summary">${marked(summary)}</p>
      ${description !== undefined && description !== '' && html`<p>${marked(description)}</p>`}
      ${
        parameters.length > 0 &&
        html`<h4>Parameters</h4>
          <dl class="fields">
            ${parameters.map((one) =>
              fieldView(
                one.name,
                one.schema,
                one.required === true,
                `In the ${one.in}. ${one.description ?? ''}`.trim(),
              ),
            )}
          </dl>`
      }
      ${
        body &&
        html`<h4>Body, as JSON</h4>
          ${schemaView(body)}`
      }
      ${answersView(operation)}
    </div>
    <div class="calls">
      <h4>Call</h4>
      <pre><code>${callOf({ method, path, operation }, context)}</code></pre>
      ${exampleView(operation, context.schemas)}
    </div>
  </article> `;
}

/** The method and the path of an operation. A browser may break the line before a slash of the path. */
export const routeView = (method: string, path: string): Html =>
  html`<span class="method" data-method="${method}">${method}</span>
    <code>${path.split('/').map((part, at) => html`${at > 0 && html`<wbr />/`}${part}`)}</code>`;

function answersView({ responses }: ApiOperation): Html {
  const [answers, problems] = [false, true].map((are) =>
    Object.entries(responses).filter(([status]) => isProblem(status) === are),
  );
  return html`<h4>Answers</h4>
    <dl class="answers">${answers!.map(answerView)}</dl>
    <details>
      <summary>
        Problems:
        ${problems!
          .map(([status]) => status)
          .filter((status) => status !== 'default')
          .join(', ')}
      </summary>
      <dl class="answers">${problems!.map(answerView)}</dl>
    </details>`;
}

function answerView([status, { description, headers = {}, content = {} }]: [string, ApiResponse]): Html {
  const own = Object.keys(headers).filter((name) => !everywhere.has(name));
  return html`<div>
    <dt><code>${status}</code></dt>
    <dd>
      <p>${marked(description)}</p>
      ${Object.entries(content).map(
        ([type, media]) => html`<p class="type">${type}${media.schema && html`: ${typeOf(lineOf(media))}`}</p>`,
      )}${own.length > 0 && html`<p class="type">with ${own.map((name, at) => html`${at > 0 && ', '}<code>${name}</code>`)}</p>`}
    </dd>
  </div>`;
}

const everywhere = new Set(['Request-Id', 'Charter-Lag', 'Charter-Lag-Events']);
const lineOf = ({ schema = {} }: Media) => schema.contentSchema ?? schema;

/** A `curl` command. A caller without an API key sends the cookies of the session and the XSRF token instead. */
function callOf({ method, path, operation }: PlacedOperation, { schemas, url, cookie }: Context): string {
  const schemes = (operation.security ?? []).flatMap((one) => Object.keys(one));
  const isWrite = method !== 'GET';
  const body = operation.requestBody?.content['application/json'];
  const needsKey = schemes.includes('bearer');
  const needsSession = schemes.length > 0 && !needsKey;
  return [
    `curl ${isWrite ? `-X ${method} ` : ''}'${url}${path}'`,
    needsKey && `-H 'Authorization: Bearer chk_…'`,
    needsSession && `-b '${cookie}=…${isWrite ? '; XSRF-TOKEN=…' : ''}'`,
    needsSession && isWrite && `-H 'X-XSRF-TOKEN: …'`,
    body && `-H 'Content-Type: application/json'`,
    body && `-d '${JSON.stringify(body.example ?? sampleOf(body.schema ?? {}, schemas), null, 2)}'`,
  ]
    .filter((part) => typeof part === 'string')
    .join(' \\\n  ');
}

/** The last answer with a body that is not a problem, such as 201 in place of 200, with an example. */
function exampleView({ responses }: ApiOperation, schemas: Schemas): Html {
  const answers = Object.entries(responses).filter(([status]) => !isProblem(status));
  const [status, { content = {} }] = answers.findLast(([, answer]) => answer.content) ?? answers[0]!;
  const [media] = Object.values(content);
  const value = media && (media.example ?? sampleOf(lineOf(media), schemas));
  const shown = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return html`<h4>Answer ${status}</h4>
    <pre><code>${media ? shown : 'no body'}</code></pre>`;
}
