import { escapeHtml } from './page-template';

/** The only page of an installation whose pages were not built. The page names the product and the release. */
export const plainPage = (product: string, release: string, demo: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Charter</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="/charter.css">
</head>
<body>
${demo ? '<p class="demo" role="note">Demo mode: this store was founded with example organizations.</p>' : ''}
<main>
<h1>Charter</h1>
<p>The organization service of ${escapeHtml(product)}: it knows every organization's members, sites, plan, add-ons and limits, and why.</p>
<ul>
<li><a href="/api/docs">The HTTP interface</a>, to read</li>
<li><a href="/api/openapi.json">OpenAPI 3.1</a>, for programs</li>
<li><a href="/health/ready">Health</a></li>
</ul>
<p class="version">Version ${escapeHtml(release)}</p>
</main>
</body>
</html>
`;

export const css = `:root { color-scheme: light dark; --ink: #1d2433; --paper: #fbfaf8; --link: #2348c4; --soft: #596275; --line: #d9d6cf; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --paper: #16191f; --link: #9db4ff; --soft: #a3a9b6; --line: #343a46; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 38rem; margin: 12vh auto 0; padding: 0 1.25rem; }
h1 { margin: 0; font-size: 2.5rem; letter-spacing: -0.02em; }
a { color: var(--link); text-underline-offset: 0.2em; }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: 2px; }
li { margin: 0.35rem 0; }
.version { color: var(--soft); border-top: 1px solid var(--line); padding-top: 1rem; margin-top: 2rem; }
.demo { margin: 0; padding: 0.6rem 1.25rem; background: #7a4b00; color: #fff; text-align: center; }
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2348c4"/><path d="M22 11.5a7 7 0 1 0 0 9" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round"/></svg>`;
