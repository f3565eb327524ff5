import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { builtFile, builtManifest } from '../support/pages/built-pages';

const root = resolve(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { files, pages } = builtManifest();
const built = [...Object.keys(files).map((path) => path.slice(1)), ...Object.values(pages)]
  .filter((path) => /\.(js|css|html|svg|json)$/.test(path))
  .map((path): readonly [string, string] => [path, builtFile(path).toString()]);
const sources = globSync('web/{src,.}/**/*.{ts,tsx,js,mjs}', { cwd: root }).filter(
  (path) => !/\.(spec|testing)\./.test(path),
);

/** Patterns of secrets, and the names of our settings that contain secrets. */
const secrets: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*(PRIVATE KEY|CERTIFICATE)/,
  /\bchk_[\da-f]{12}_[\w-]{43}/,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/,
  /\b(AKIA[\dA-Z]{16}|GOCSPX-[\w-]{20,}|sk_live_\w{10,}|gh[pousr]_\w{30,}|xox[abp]-[\w-]{10,})/,
  /\$argon2id\$/,
  /https?:\/\/[^\s/"'`]+:[^\s/"'`]+@/,
  /SESSION_SECRET|GOOGLE_CLIENT_SECRET|SMTP_URL|CHARTER_DATA/,
];

describe('F10: Files for browsers', () => {
  it('contain pages and scripts', () => {
    expect(built.filter(([path]) => path.endsWith('.js')).length).toBeGreaterThan(5);
    expect(built.filter(([path]) => path.endsWith('.html')).length).toBeGreaterThan(5);
  });

  it('contain no secret, no source map, and no path of the build machine', () => {
    for (const [path, text] of built) {
      for (const secret of secrets) expect([path, secret.exec(text)?.[0]]).toEqual([path, undefined]);
      expect([path, /sourceMappingURL|file:\/\/\/|\/node_modules\//.exec(text)?.[0]]).toEqual([path, undefined]);
      expect([path, text.includes(root)]).toEqual([path, false]);
    }
    expect(Object.keys(files).filter((path) => path.endsWith('.map'))).toEqual([]);
  });

  it('send requests to relative addresses only (F8): each absolute address is a namespace or a page that explains an error', () => {
    const named = new Set(
      built.flatMap(([, text]) => [...text.matchAll(/\b(?:https?|wss?):\/\/([\w.-]+)/g)].map(([, host]) => host!)),
    );
    const explaining = ['bit.ly', 'react.dev', 'reactrouter.com', 'redux-toolkit.js.org', 'redux.js.org'];
    expect([...named].filter((host) => !['www.w3.org', 'localhost', ...explaining].includes(host))).toEqual([]);
    for (const path of sources)
      expect([path, /['"`](?:https?:|wss?:)?\/\/\w/.exec(read(path))?.[0]]).toEqual([path, undefined]);
  });

  it('insert no text into a page as markup, and run no text as code', () => {
    const markup = /dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write|srcdoc/i;
    const running = /\beval\(|new Function\(|setTimeout\(\s*['"`]/;
    const shipped = sources.filter((path) => path.startsWith('web/src') || /^web\/(early|theme)\.js$/.test(path));
    expect(shipped.length).toBeGreaterThan(30);
    for (const path of shipped)
      for (const way of [markup, running]) expect([path, way.exec(read(path))?.[0]]).toEqual([path, undefined]);
  });

  it.each([
    ['axios', [1, 6, 0]],
    ['react-router', [7, 18, 0]],
    ['react-router-dom', [7, 18, 0]],
  ] as const)('contain %s only in versions without its known security flaws', (name, least) => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
    const copies = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
    expect(copies.length).toBeGreaterThan(0);
    for (const [path, { version }] of copies) {
      const is = version.split('.').map(Number);
      const at = least.findIndex((part, index) => part !== is[index]);
      expect([path, version, at < 0 || is[at]! > least[at]!]).toEqual([path, version, true]);
    }
  });
});
