import type { BuiltPages } from './built-pages';
import { type Html, html } from './html';

/** A page that exists only in demo mode. It has the frame of the sign-in pages: a pane, and a panel beside it. */
export type DemoPage = Readonly<{
  heading: string;
  about: Html | string;
  main: Html;
  /** The text of the panel, which says what this page replaces. */
  panel: Html;
}>;

type Frame = Readonly<{ product: string; styles: readonly string[] }>;

/** Returns the style sheets of these pages. If no pages were built, returns the style sheet of the plain page. */
export const demoStyles = (pages: BuiltPages | undefined): readonly string[] => pages?.demo ?? ['/charter.css'];

/** Returns the page as an HTML document. The page needs no script. */
export const demoPage = ({ heading, about, main, panel }: DemoPage, { product, styles }: Frame): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${heading} · Charter demo</title>
        <link rel="icon" href="/favicon.ico" />
        ${styles.map((path) => html`<link rel="stylesheet" href="${path}" />`)}
      </head>
      <body>
        <aside class="bar" aria-label="Demo mode">
          Demo mode: examples only, nothing here is real. <a href="/">Back to ${product}</a>
        </aside>
        <div class="pane">
          <header class="brand">${product}</header>
          <main>
            <h1>${heading}</h1>
            <p class="sub">${about}</p>
            ${main}
          </main>
        </div>
        <aside class="panel" aria-label="About this page">
          <div>${panel}</div>
        </aside>
      </body>
    </html> `.text;
