// Size budgets of the web pages' scripts, styles and documents. A KB has 1024 bytes. With `gzip` or `brotli`, the
// budget is for the compressed size. The HTML document of a page names the scripts and styles that the browser loads
// first.
const { mkdirSync, readFileSync, readdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { scriptsNamed } = require('./scripts/scripts-named.cjs');

const kb = (size) => `${size * 1024} B`;
const built = path.join(__dirname, 'dist', 'web');
const documentOf = (name) => readFileSync(path.join(built, 'pages', `${name}.html`), 'utf8');
const filesOf = (html, ending) =>
  [...html.matchAll(new RegExp(`(?:src|href)="(/assets/[^"]+[.]${ending})"`, 'g'))].map(
    ([, file]) => `dist/web${file}`,
  );
const assets = readdirSync(path.join(built, 'assets'));
const asset = (file) => `dist/web/assets/${file}`;
/** The scripts with this name. @throws if there is none, because its budget would then measure nothing */
const named = (stem) => scriptsNamed(assets, stem).map(asset);

const codeOf = (file) => readFileSync(path.join(__dirname, file), 'utf8');
/** Returns the scripts `files`, and every script that one of them imports statically, also through other scripts. */
const withImports = (files, found = new Set()) => {
  for (const file of files) {
    if (found.has(file)) continue;
    found.add(file);
    const imports = [...codeOf(file).matchAll(/(?:from|import)["'`][.][/]([^"'`]+[.]js)["'`]/g)];
    withImports(
      imports.map(([, imported]) => asset(imported)),
      found,
    );
  }
  return [...found];
};
/** The scripts that contain the translated messages of one group of pages, for example of the group `console`. */
const catalogueOf = (group, language) => {
  const po = readFileSync(path.join(__dirname, 'web', 'locales', group, `${language}.po`), 'utf8');
  const ids = [...po.matchAll(/^msgid "(.+[.-].+)"$/gm)].map(([, id]) => `"${id}"`);
  const found = named(language).filter((file) => ids.every((id) => codeOf(file).includes(id)));
  if (found.length === 0) throw new Error(`No script contains the ${language} messages of ${group}.`);
  return found;
};

/** Writes the part of an HTML document that matches `pattern` to a file, so that size-limit can measure this part. */
const partOf = (html, name, pattern) => {
  const [part] = pattern.exec(html) ?? [];
  if (!part) throw new Error(`There is no ${name} in the document of the log-in page.`);
  const file = path.join('node_modules', '.cache', 'size', name);
  mkdirSync(path.join(__dirname, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(__dirname, file), part);
  return file;
};

const signIn = documentOf('login.en');
const consolePage = documentOf('console.en');
const consoleScripts = filesOf(consolePage, 'js');
const scripts = filesOf(signIn, 'js');
// axios has a budget of its own
const others = (files) => files.filter((file) => !scripts.includes(file) && !/\/axios-/.test(file));
/**
 * The scripts that the overview page of an organization loads without a click or a key press: the scripts of its HTML
 * document, and those of the components below. Scripts of the sign-in pages and axios do not count. The components
 * `Find` and `LatestChanges` also have budgets of their own.
 */
const overviewParts = ['TimeBar', 'LiveUpdates', 'LiveSign', 'Find', 'LatestChanges', 'ProgramFlags'];
const atOnce = others(withImports([...filesOf(consolePage, 'js'), ...overviewParts.flatMap(named)]));
const later = (files) => others(withImports(files)).filter((file) => !atOnce.includes(file));
/** The scripts that a page loads with `import()`. All other scripts are imported by such a script or a document. */
const loadedLater = assets
  .filter((file) => file.endsWith('.js'))
  .flatMap((file) => [...codeOf(asset(file)).matchAll(/import[(]["'`][.][/]([^"'`]+[.]js)["'`]/g)])
  .map(([, file]) => asset(file));
/** The scripts with these names, and the scripts that only they load. */
const own = (...names) => {
  const files = names.flatMap(named);
  const ofOthers = withImports(loadedLater.filter((file) => !files.includes(file)));
  return later(files).filter((file) => !ofOthers.includes(file));
};
/** A file of the package `@charter/client`, and the files that it imports statically. */
const ofClient = (name) => {
  const file = `dist/client/${name}`;
  const imports = [...codeOf(file).matchAll(/from["'`][.][/]([^"'`]+[.]js)["'`]/g)];
  return [...new Set([file, ...imports.flatMap(([, imported]) => ofClient(imported))])];
};
const controls = ['useCommand', 'useEntryChanges', 'TextForm', 'DoneNote'].flatMap(named);
// Groups of translated messages, each in its own script. Only pages that can change something load the second list.
const organizationGroups = ['bar', 'history', 'organization'];
const changeGroups = ['checkout', 'commands', 'draft'];
const catalogues = (groups, language) => groups.flatMap((group) => catalogueOf(group, language));
const consoleStyles = assets
  .filter((file) => file.endsWith('.css') && !/^(sign-in|verify|reference|demo)-/.test(file))
  .map(asset);
const isReact = (file) => /\/react-/.test(file);

const budgets = [
  { name: 'sign-in, all scripts at once (gzip)', path: scripts, limit: kb(92), gzip: true },
  { name: 'sign-in, all scripts at once (brotli)', path: scripts, limit: kb(80), brotli: true },
  { name: 'sign-in, scripts without React', path: scripts.filter((file) => !isReact(file)), limit: kb(34), gzip: true },
  { name: 'sign-in, the first script', path: named('early'), limit: kb(1), brotli: false },
  {
    name: 'sign-in, document with its styles and picture',
    path: ['dist/web/pages/login.account.migrated.fi.html'],
    limit: kb(9),
    gzip: true,
  },
  {
    name: 'sign-in, styles in the document',
    path: partOf(signIn, 'sign-in.css', /<style>.*?<\/style>/s),
    limit: kb(6),
    gzip: true,
  },
  {
    name: 'sign-in, picture in the document',
    path: partOf(signIn, 'picture.svg', /<svg[^>]*showcase-picture.*?<\/svg>/s),
    limit: kb(3),
    gzip: true,
  },
  { name: 'sign-in, pages of mailed links', path: named('LinkPages'), limit: kb(4), gzip: true },
  { name: 'axios, when idle', path: named('axios'), limit: kb(22), gzip: true },
  { name: 'error reporting, only when configured', path: named('sentry'), limit: kb(24), gzip: true },
  // This budget excludes React, the router, the store and the code for translations, because the sign-in pages load
  // them, too. So the browser has cached them.
  {
    name: 'console, its own scripts',
    path: consoleScripts.filter((file) => !scripts.includes(file)),
    limit: kb(48.5),
    gzip: true,
  },
  {
    name: 'console, all scripts without React, for a visit that begins in the console',
    path: consoleScripts.filter((file) => !isReact(file)),
    limit: kb(75),
    gzip: true,
  },
  { name: 'console, all that an overview asks for at once', path: atOnce, limit: kb(65.5), gzip: true },
  {
    name: 'console, time bar opened',
    path: later(['OpenBar', 'blocks', 'compared-answers', 'OtherComparison', 'ComingMoment'].flatMap(named)),
    limit: kb(16),
    gzip: true,
  },
  { name: 'console, history and one event', path: named('History'), limit: kb(26), gzip: true },
  { name: 'console, compare', path: [...named('ComparePage'), ...named('ValuePage')], limit: kb(8), gzip: true },
  {
    name: 'console, latest changes and removals on the overview',
    path: ['LatestChanges', 'CountedEntries'].flatMap(named),
    limit: kb(3),
    gzip: true,
  },
  { name: 'console, list of organizations', path: own('Chooser'), limit: kb(2), gzip: true },
  { name: 'console, a moment that the page cannot show', path: own('PastProblem'), limit: kb(1), gzip: true },
  { name: 'console, find', path: [...named('Find'), ...named('Freshness')], limit: kb(4), gzip: true },
  { name: 'console, warnings that few people see', path: named('RareWarnings'), limit: kb(1), gzip: true },
  { name: 'console, copies of moments, when idle', path: named('iso-copies'), limit: kb(1), gzip: true },
  { name: 'console, requests', path: named('Requests'), limit: kb(4), gzip: true },
  { name: 'console, proof', path: named('ProofPage'), limit: kb(8), gzip: true },
  { name: 'console, readers', path: named('ReadersPage'), limit: kb(4), gzip: true },
  { name: 'console, worker of the proof', path: named('proof-worker'), limit: kb(12), gzip: true },
  { name: 'signatures without WebCrypto', path: named('ed25519-fallback'), limit: kb(6), gzip: true },
  {
    name: 'console, members, sites, domains and settings',
    path: own('Members', 'Sites', 'Domains', 'SettingsPage').filter((file) => !controls.includes(file)),
    limit: kb(18),
    gzip: true,
  },
  {
    name: 'console, settings of single sign-on and of e-mail domains',
    path: own('SignInSettings'),
    limit: kb(5),
    gzip: true,
  },
  { name: 'console, controls that change an organization', path: controls, limit: kb(6), gzip: true },
  {
    name: 'console, plan, draft and undo',
    path: [
      ...own('PlanPage', 'TriedPreview', 'DraftPage', 'DraftPanel', 'ReplaceDraft', 'UndoTo'),
      ...named('appended-draft'),
    ],
    limit: kb(20.5),
    gzip: true,
  },
  {
    name: 'console, checkout, and changes of a plan by operators',
    path: own('CheckoutPage', 'OperatorChanges'),
    limit: kb(4),
    gzip: true,
  },
  { name: 'verify, its one script with React and signatures', path: named('verify'), limit: kb(79), gzip: true },
  { name: 'console, oneself', path: named('Account'), limit: kb(4), gzip: true },
  { name: 'console, styles at once', path: filesOf(consolePage, 'css'), limit: kb(12), gzip: true },
  { name: 'console, all styles', path: consoleStyles, limit: kb(18), gzip: true },
  {
    name: 'API reference, styles',
    path: assets.filter((file) => /^reference-.*[.]css$/.test(file)).map(asset),
    limit: kb(4),
    gzip: true,
  },
  {
    name: 'pages of the demo, styles',
    path: assets.filter((file) => /^demo-.*[.]css$/.test(file)).map(asset),
    limit: kb(4),
    gzip: true,
  },
  // SD9
  { name: 'client, core', path: ofClient('index.js'), limit: kb(4), gzip: true },
  {
    name: 'client, core and React',
    path: [...ofClient('index.js'), ...ofClient('react.js')],
    limit: kb(6),
    gzip: true,
  },
  {
    name: 'client, all that it loads in a browser',
    path: [
      ...new Set([...ofClient('index.js'), ...ofClient('tab-source.js')]),
      'node_modules/eventsource-parser/dist/index.js',
    ],
    limit: kb(9),
    gzip: true,
  },
  {
    name: 'client, all that it loads on a server, with the requests of the HTTP interface',
    path: [
      ...new Set(['index.js', 'server-source.js', 'calls.js'].flatMap(ofClient)),
      'node_modules/eventsource-parser/dist/index.js',
    ],
    limit: kb(8),
    gzip: true,
  },
  // The English messages of the sign-in pages and of the console's shell need no budget: the first scripts contain
  // them.
  { name: 'sign-in, Finnish messages', path: catalogues(['sign-in', 'links'], 'fi'), limit: kb(2), gzip: true },
  { name: 'console, Finnish messages of the shell', path: catalogues(['console'], 'fi'), limit: kb(8), gzip: true },
  ...[
    ['English', 'en'],
    ['Finnish', 'fi'],
  ].flatMap(([name, language]) => [
    {
      name: `console, ${name} messages of an organization`,
      path: catalogues(organizationGroups, language),
      limit: kb(11),
      gzip: true,
    },
    {
      name: `console, ${name} messages for changes of an organization`,
      path: catalogues(changeGroups, language),
      limit: kb(8),
      gzip: true,
    },
    {
      name: `console, ${name} messages for operators`,
      path: catalogues(['operators'], language),
      limit: kb(12),
      gzip: true,
    },
    {
      name: `console, ${name} messages of e-mail domains`,
      path: catalogues(['domains'], language),
      limit: kb(3),
      gzip: true,
    },
    { name: `console, ${name} warnings`, path: catalogues(['warnings'], language), limit: kb(1), gzip: true },
    { name: `proof, ${name} messages`, path: catalogues(['proof'], language), limit: kb(6), gzip: true },
  ]),
];

// Every script counts towards a budget. The last budget is for the scripts that no budget above names; several pages
// share these scripts.
const measured = new Set(budgets.flatMap(({ path: files }) => files));
module.exports = [
  ...budgets,
  {
    name: 'console, parts that several later pages share',
    path: assets
      .filter((file) => file.endsWith('.js'))
      .map(asset)
      .filter((file) => !measured.has(file)),
    limit: kb(27.5),
    gzip: true,
  },
];
