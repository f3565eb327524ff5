import type { PageSettings } from '../process/parts/page-settings';
import { type Html, html } from '../pages/html';

/** The paths of the style sheets and scripts of a page. */
export type PageFiles = Readonly<{ styles: readonly string[]; scripts: readonly string[] }>;

/** The files of the pages of reference. Without built pages, the style sheet of the plain page. */
export const filesOf = ({ pages }: Pick<PageSettings, 'pages'>): PageFiles =>
  pages?.reference ?? { styles: ['/charter.css'], scripts: [] };

type Content = Readonly<{
  /** The title in the browser's tab. */
  title: string;
  /** The name above the heading. */
  brand: string;
  heading: string;
  about: Html;
  links: Html;
  /** The navigation beside the content. */
  nav: Html;
  main: Html;
}>;

/**
 * A page of reference as an HTML document. The page needs no script; its only script sets the colours that a person has
 * chosen in the console.
 */
export function framed({ title, brand, heading, about, links, nav, main }: Content, files: PageFiles): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/favicon.ico" />
        ${files.scripts.map((path) => html`<script src="${path}"></script> `)}${files.styles.map((path) => html`<link rel="stylesheet" href="${path}" /> `)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top">
          <div>
            <p class="brand">${brand}</p>
            <h1>${heading}</h1>
            <p class="about">${about}</p>
            <p class="links">${links}</p>
          </div>
        </header>
        <div class="page">
          ${nav}
          <main id="content" tabindex="-1">${main}</main>
        </div>
      </body>
    </html> `.text;
}

/** The anchor of a group on its page. */
export const anchorOf = (group: string): string => `group-${group.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
