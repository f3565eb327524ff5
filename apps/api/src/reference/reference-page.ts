import { type Html, html, marked } from '../pages/html';
import { anchorOf, framed, type PageFiles } from './frame';
import { type ApiDocument, groupsOf, type PlacedOperation } from './document';
import { operationView, routeView } from './operation-view';
import { schemaView } from './schema-view';

type Frame = PageFiles &
  Readonly<{
    /** The address under which callers reach Charter; the commands of the page contain it. */
    url: string;
    /** The name of the cookie of a session. */
    cookie: string;
  }>;

/** The page of the whole HTTP interface, as an HTML document. */
export function referencePage(document: ApiDocument, { url, cookie, ...files }: Frame): string {
  const groups = [...groupsOf(document)];
  const { schemas, headers, securitySchemes } = document.components;
  const { title, version, description = '' } = document.info;
  return framed(
    {
      title: `${title}: the HTTP interface`,
      brand: title,
      heading: 'The HTTP interface',
      about: marked(description),
      links: html`Version ${version} <a href="/api/openapi.json">OpenAPI 3.1 document</a>
        <a href="/problems">All problems</a>`,
      nav: html`<nav aria-label="Groups of operations">
        <ul>
          <li><a href="#calls">Calls and credentials</a></li>
          ${groups.map(([name, { length }]) => html`<li><a href="#${anchorOf(name)}">${name}</a> <span>${length}</span></li> `)}
          <li><a href="#schemas">Schemas</a> <span>${Object.keys(schemas).length}</span></li>
        </ul>
      </nav>`,
      main: html`<section aria-labelledby="calls">
          <h2 id="calls">Calls and credentials</h2>
          <p>
            Every address begins with <code>${url}</code>. An answer with a status of 400 or more is a
            <a href="#schema-Problem">problem document</a>. The type of the problem is the address of a page about the
            problem.
          </p>
          <dl class="fields">${described(securitySchemes)}</dl>
          <h3>Headers of answers</h3>
          <dl class="fields">${described(headers)}</dl>
        </section>
        ${groups.map(([name, operations]) => groupView(name, operations, { schemas, url, cookie }))}
        <section aria-labelledby="schemas">
          <h2 id="schemas">Schemas</h2>
          ${Object.entries(schemas).map(
            ([name, schema]) =>
              html`<article class="schema" id="schema-${name}" aria-labelledby="schema-${name}-name">
                <h3 id="schema-${name}-name">${name}</h3>
                ${schemaView(schema)}
              </article> `,
          )}
        </section>`,
    },
    files,
  );
}

const groupView = (
  name: string,
  operations: readonly PlacedOperation[],
  context: Parameters<typeof operationView>[1],
): Html =>
  html`<section aria-labelledby="${anchorOf(name)}">
    <h2 id="${anchorOf(name)}">${name}</h2>
    <ul class="index">
      ${operations.map(
        ({ method, path, operation: { operationId, summary } }) =>
          html`<li><a href="#${operationId}">${routeView(method, path)}</a> <span>${marked(summary)}</span></li> `,
      )}
    </ul>
    ${operations.map((one) => operationView(one, context))}
  </section> `;

const described = (entries: Readonly<Record<string, Readonly<{ description: string }>>>): readonly Html[] =>
  Object.entries(entries).map(
    ([name, { description }]) =>
      html`<div>
        <dt><code>${name}</code></dt>
        <dd><p>${marked(description)}</p></dd>
      </div>`,
  );
