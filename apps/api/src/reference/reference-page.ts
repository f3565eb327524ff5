import { type Html, html, marked } from './html';
import { type ApiDocument, groupsOf, type PlacedOperation } from './document';
import { operationView, routeView } from './operation-view';
import { schemaView } from './schema-view';

type Frame = Readonly<{
  /** The address under which callers reach Charter; the commands of the page contain it. */
  url: string;
  /** The name of the cookie of a session. */
  cookie: string;
  /** The paths of style sheets and of scripts. */
  styles: readonly string[];
  scripts: readonly string[];
}>;

/**
 * The page of the whole HTTP interface, as an HTML document. The page needs no script; its only script sets the colours
 * that a person has chosen in the console.
 */
export function referencePage(document: ApiDocument, { url, cookie, styles, scripts }: Frame): string {
  const groups = [...groupsOf(document)];
  const { schemas, headers, securitySchemes } = document.components;
  const { title, version, description = '' } = document.info;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}: the HTTP interface</title>
        <link rel="icon" href="/favicon.ico" />
        ${scripts.map((path) => html`<script src="${path}"></script> `)}${styles.map((path) => html`<link rel="stylesheet" href="${path}" /> `)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top">
          <div>
            <p class="brand">${title}</p>
            <h1>The HTTP interface</h1>
            <p class="about">${marked(description)}</p>
            <p class="links">Version ${version} <a href="/api/openapi.json">OpenAPI 3.1 document</a></p>
          </div>
        </header>
        <div class="page">
          <nav aria-label="Groups of operations">
            <ul>
              <li><a href="#calls">Calls and credentials</a></li>
              ${groups.map(([name, { length }]) => html`<li><a href="#${idOf(name)}">${name}</a> <span>${length}</span></li> `)}
              <li><a href="#schemas">Schemas</a> <span>${Object.keys(schemas).length}</span></li>
            </ul>
          </nav>
          <main id="content" tabindex="-1">
            <section aria-labelledby="calls">
              <h2 id="calls">Calls and credentials</h2>
              <p>
                Every address begins with <code>${url}</code>. An answer with a status of 400 or more is a
                <a href="#schema-Problem">problem document</a>.
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
            </section>
          </main>
        </div>
      </body>
    </html> `.text;
}

const idOf = (group: string) => `group-${group.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;

const groupView = (
  name: string,
  operations: readonly PlacedOperation[],
  context: Parameters<typeof operationView>[1],
): Html =>
  html`<section aria-labelledby="${idOf(name)}">
    <h2 id="${idOf(name)}">${name}</h2>
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
