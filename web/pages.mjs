import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/** Writes a document for each page, and the manifest that lists all files for the server. */
export async function writePages(into, pages) {
  const vite = JSON.parse(readFileSync(path.join(into, '.vite.json'), 'utf8'));
  rmSync(path.join(into, '.vite.json'));
  const own = {
    early: asset(into, 'early.js'),
    firstRequests: asset(into, 'first-requests.js', (script) =>
      script.replace("'[[bar]]'", JSON.stringify(barFiles(vite, pages))),
    ),
    theme: asset(into, 'theme.js'),
    icon: asset(into, 'icon.svg'),
  };
  const alone = JSON.parse(readFileSync(path.join(into, '.verify.json'), 'utf8'));
  rmSync(path.join(into, '.verify.json'));
  const entries = {
    'sign-in': filesOf(vite, 'src/sign-in.tsx'),
    console: filesOf(vite, 'src/console.tsx'),
    verify: filesOf(alone, 'src/verify.tsx'),
  };
  own.verifyFile = verifyFile(into, entries.verify);

  mkdirSync(path.join(into, 'pages'), { recursive: true });
  const styles = {};
  const contents = new Map();
  for (const page of pages) {
    const { document, hashes } = documentOf(page, entries, own, into);
    writeFileSync(path.join(into, 'pages', `${page.name}.html`), document);
    contents.set(`pages/${page.name}.html`, Buffer.from(document));
    styles[page.name] = hashes;
  }

  const manifest = {
    languages: [...new Set(pages.map(({ language }) => language))],
    pages: Object.fromEntries(pages.map(({ name }) => [name, `pages/${name}.html`])),
    styles,
    reference: { styles: [`/${vite['src/reference/reference.css'].file}`], scripts: [own.theme] },
    demo: [`/${vite['src/demo/demo.css'].file}`],
    files: await compressed(into, contents),
    ranges: writeBundle(into, contents),
  };
  writeFileSync(path.join(into, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The files that an entry point loads first: its script, the scripts that this script imports, and its styles. */
function filesOf(vite, entry) {
  const chunks = new Set();
  const visit = (name) => {
    if (chunks.has(name)) return;
    chunks.add(name);
    (vite[name].imports ?? []).forEach(visit);
  };
  visit(entry);
  const [script, ...imports] = [...chunks].map((name) => `/${vite[name].file}`);
  const styles = [...new Set([...chunks].flatMap((name) => vite[name].css ?? []))].map((file) => `/${file}`);
  return { script, imports, styles };
}

/** For each language, the files of the time bar that the document of the console does not name. */
function barFiles(vite, pages) {
  const shell = filesOf(vite, 'src/console.tsx');
  const known = [shell.script, ...shell.imports, ...shell.styles];
  const { script, imports, styles } = filesOf(vite, 'src/console/moment/bar/TimeBar.tsx');
  const files = [script, ...imports, ...styles].filter((file) => !known.includes(file));
  const languages = new Set(pages.map(({ language }) => language));
  return Object.fromEntries(
    [...languages].map((language) => [language, [...files, `/${vite[`locales/bar/${language}.po`].file}`]]),
  );
}

/**
 * Writes a copy of the page that checks files. The copy is a single file, which needs neither a server nor a network.
 */
function verifyFile(into, { script, styles }) {
  const read = (file) => readFileSync(path.join(into, file), 'utf8');
  const code = read(script).replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const style = [LAYERS, ...styles.map(read)].join('\n');
  const digest = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  // The policy forbids every request, so the file cannot send the history anywhere.
  const policy = `default-src 'none'; script-src ${digest(code)}; style-src ${digest(style)}; img-src data:`;
  const page = [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<title>Verify a history</title>',
    '<link rel="icon" href="data:,">',
    `<style>${style}</style>`,
    '<body><div id="root"></div>',
    `<script type="module">${code}</script>`,
    '</html>',
  ].join('\n');
  const hash = createHash('sha256').update(page).digest('base64url').slice(0, 8);
  const address = `/assets/charter-verify-${hash}.html`;
  writeFileSync(path.join(into, address), page);
  return address;
}

/**
 * Writes a file that Vite does not process, under a name with the hash of its content. A script is written without
 * comments and indentation. `fill` replaces the placeholders in the content.
 */
function asset(into, name, fill = (content) => content) {
  const { name: stem, ext } = path.parse(name);
  const content = fill(readFileSync(path.join(import.meta.dirname, name), 'utf8'));
  const address = `/assets/${stem}-${createHash('sha256').update(content).digest('base64url').slice(0, 8)}${ext}`;
  writeFileSync(path.join(into, address), ext === '.js' ? smaller(content) : content);
  return address;
}

/** Removes comments and indentation from a script, so that the browser loads it sooner. */
const smaller = (script) =>
  script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('//'))
    .join('\n');

/**
 * The order of the style layers. The order of the layers must come before any style, in whatever order the files load.
 */
const LAYERS = '@layer reset,tokens,base,components,overrides;';

const facts = {
  'sign-in': ['product', 'product-key', 'release', 'demo', 'google-token', 'redirect-origins', 'sentry-dsn'],
  console: [
    'product',
    'product-key',
    'release',
    'demo',
    'account',
    'account-name',
    'time-zone',
    'single-keys',
    'platform-role',
    'checkpoint-every',
    'sentry-dsn',
  ],
  verify: ['product'],
};

/**
 * The HTML document of a page. A sign-in page contains its styles, so that the browser can paint the form without
 * another request. The browser fetches the console's styles once and caches them.
 */
function documentOf(
  { entry, language, title, body },
  entries,
  { early, firstRequests, theme, icon, verifyFile },
  into,
) {
  const { script, imports, styles } = entries[entry];
  const carried = entry === 'sign-in' ? styles.map((file) => readFileSync(path.join(into, file), 'utf8')) : [];
  const inline = [LAYERS, ...carried].join('\n');
  const next = [entries.console.script, ...entries.console.imports, ...entries.console.styles];
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    ...facts[entry].map((name) => `<meta name="charter-${name}" content="{{${name}}}">`),
    ...(entry === 'verify' ? [`<meta name="charter-verify-file" content="${verifyFile}">`] : []),
    ...(entry === 'sign-in' ? [`<meta name="charter-next" content="${next.join(' ')}">`] : []),
    `<title>${title}</title>`,
    // The browser paints nothing before it has read the element `#end`, so the layout does not shift.
    ...(entry === 'sign-in' ? ['<link rel="expect" href="#end" blocking="render">'] : []),
    `<link rel="icon" href="${icon}" type="image/svg+xml">`,
    // This script has no `defer`, so that the browser does not paint the page before the colours are set.
    ...(entry === 'console'
      ? [`<script src="${firstRequests}" async></script>`, `<script src="${theme}"></script>`]
      : []),
    `<style>${inline}</style>`,
    ...(entry === 'sign-in' ? [] : styles.map((href) => `<link rel="stylesheet" href="${href}">`)),
    ...(entry === 'sign-in' ? [`<script src="${early}" defer></script>`] : []),
    `<script type="module" src="${script}"></script>`,
    ...imports.map((href) => `<link rel="modulepreload" href="${href}">`),
  ];
  return {
    document: `<!doctype html>\n<html lang="${language}">\n<head>\n${head.join('\n')}\n</head>\n<body>${body.replaceAll('[[verify-file]]', verifyFile)}${entry === 'sign-in' ? '<i id="end" hidden></i>' : ''}</body>\n</html>\n`,
    hashes: [`sha256-${createHash('sha256').update(inline).digest('base64')}`],
  };
}

const types = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};
const WORTH_COMPRESSING_BYTES = 300;

/** Compresses the files in `assets`. Adds each file and its compressed forms to `contents`. */
async function compressed(into, contents) {
  const folder = path.join(into, 'assets');
  const files = readdirSync(folder).sort();
  const entries = files.map(async (name) => {
    const content = readFileSync(path.join(folder, name));
    const address = `/assets/${name}`;
    const type = types[path.extname(name)] ?? 'application/octet-stream';
    contents.set(address, content);
    if (content.length < WORTH_COMPRESSING_BYTES) return [address, { type }];
    const quality = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
    contents.set(`${address}.br`, await brotli(content, quality));
    contents.set(`${address}.gz`, await zip(content, { level: 9 }));
    return [address, { type, br: `${address}.br`, gz: `${address}.gz` }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Writes all contents into one file, because the server starts faster with one file than with hundreds of files.
 * Returns for each content the offset of its first byte in this file, and the offset after its last byte.
 */
function writeBundle(into, contents) {
  const names = [...contents.keys()].sort();
  writeFileSync(path.join(into, 'bundle'), Buffer.concat(names.map((name) => contents.get(name))));
  let end = 0;
  return Object.fromEntries(names.map((name) => [name, [end, (end += contents.get(name).length)]]));
}
