import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the build, with its compressed forms. A file name never gets another content. */
export type BuiltFile = Readonly<{ type: string; plain: Buffer; br?: Buffer | undefined; gz?: Buffer | undefined }>;
type BuiltPage = Readonly<{ text: string; styles: readonly string[] }>;

/** The built pages (`web/README.md`), held in memory: a new build does not change a running server. */
export type BuiltPages = Readonly<{
  languages: readonly string[];
  pages: ReadonlyMap<string, BuiltPage>;
  files: ReadonlyMap<string, BuiltFile>;
}>;

type Manifest = Readonly<{
  languages: readonly string[];
  pages: Readonly<Record<string, string>>;
  styles: Readonly<Record<string, readonly string[]>>;
  files: Readonly<Record<string, Readonly<{ type: string; br?: string; gz?: string }>>>;
}>;

/** Undefined if no pages were built. */
export function builtPages(): BuiltPages | undefined {
  const folder = folders.find((one) => existsSync(join(one, 'manifest.json')));
  if (folder === undefined) return undefined;
  const read = (path: string) => readFileSync(join(folder, path));
  const maybe = (path: string | undefined) => (path === undefined ? undefined : read(path));
  const { languages, pages, styles, files } = JSON.parse(read('manifest.json').toString()) as Manifest;
  return {
    languages,
    pages: new Map(
      Object.entries(pages).map(([name, file]) => [name, { text: read(file).toString(), styles: styles[name] ?? [] }]),
    ),
    files: new Map(
      Object.entries(files).map(([path, { type, br, gz }]) => [
        path,
        { type, plain: read(path), br: maybe(br), gz: maybe(gz) },
      ]),
    ),
  };
}

/** The folder of the pages, for the compiled server and for a server from its sources. */
const folders = ['../../../../../../web', '../../../../dist/web'].map((path) => join(__dirname, path));
