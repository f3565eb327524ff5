/** A page that exists only in demo mode. @param body HTML */
export const demoPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Charter demo</title>
<link rel="stylesheet" href="/dev/mail.css">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;

export const demoCss = `:root { color-scheme: light dark; --ink: #1d2433; --paper: #fbfaf8; --link: #2348c4; --soft: #596275; --line: #d9d6cf; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --paper: #16191f; --link: #9db4ff; --soft: #a3a9b6; --line: #343a46; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 40rem; margin: 8vh auto; padding: 0 1.25rem; }
h1 { margin: 0 0 0.5rem; font-size: 1.75rem; line-height: 1.25; overflow-wrap: anywhere; }
ul { list-style: none; margin: 1.5rem 0 0; padding: 0; }
li { padding: 0.75rem 0; border-top: 1px solid var(--line); }
li a { font-weight: 600; }
li span { display: block; color: var(--soft); font-size: 0.9375rem; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 0.2em; }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: 2px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; border-top: 1px solid var(--line); padding-top: 1rem; }
`;
