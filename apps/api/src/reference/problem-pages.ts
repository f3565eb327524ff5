import { problemGroups, type ProblemReason, problemTypeOf, problemTypes } from '@charter/problems';
import { anchorOf, framed, type PageFiles } from './frame';
import { type Html, html, marked } from '../pages/html';

/** The page about a problem type: the cause of the problem, and the action that helps the caller. */
export function problemPage(reason: ProblemReason, files: PageFiles): string {
  const { title, meaning, remedy } = problemTypes[reason];
  return framed(
    {
      ...frame(title),
      about: html`<code>${problemTypeOf(reason).type}</code>`,
      main: html`<section aria-labelledby="meaning">
          <h2 id="meaning">What it means</h2>
          <p>${marked(meaning)}</p>
        </section>
        <section aria-labelledby="remedy">
          <h2 id="remedy">What to do</h2>
          <p>${marked(remedy)}</p>
        </section>`,
    },
    files,
  );
}

/** The page that lists all problem types. */
export const problemsPage = (files: PageFiles): string =>
  framed(
    {
      ...frame('All problems'),
      about: html`An answer with a status of 400 or more is a problem document. Its <code>type</code> is the address of
        a page.`,
      main: html`${problemGroups.map(
        ({ name, types }) =>
          html`<section aria-labelledby="${anchorOf(name)}">
            <h2 id="${anchorOf(name)}">${name}</h2>
            <ul class="index">
              ${(Object.keys(types) as ProblemReason[]).map(rowOf)}
            </ul>
          </section> `,
      )}`,
    },
    files,
  );

/** The page for a type that Charter does not have. */
export const noSuchProblemPage = (files: PageFiles): string =>
  framed(
    {
      ...frame('There is no such problem'),
      about: html`Charter has no problem with this type.`,
      main: html`<section>
        <p><a href="/problems">All problems</a> lists every type. A newer or older release may have other types.</p>
      </section>`,
    },
    files,
  );

const frame = (heading: string) => ({
  title: `${heading} · Charter`,
  brand: 'Charter',
  heading,
  links: html`<a href="/problems">All problems</a> <a href="/api/docs">The HTTP interface</a>`,
  nav: html`<nav aria-label="Groups of problems">
    <ul>
      ${problemGroups.map(
        ({ name, types }) =>
          html`<li><a href="/problems#${anchorOf(name)}">${name}</a> <span>${Object.keys(types).length}</span></li> `,
      )}
    </ul>
  </nav>`,
});

function rowOf(reason: ProblemReason): Html {
  const { type, title } = problemTypeOf(reason);
  return html`<li>
    <a href="${type}">${title}</a> <span><code>${type}</code></span>
  </li> `;
}
