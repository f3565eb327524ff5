import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the build, and its compressed forms. A file's name changes with its content. */
export type BuiltFile = Readonly<{ type: string; plain: Buffer; br?: Buffer | undefined; gz?: Buffer | undefined }>;
type BuiltPage = Readonly<{ text: string; styles: readonly string[] }>;

/**
 * The built pages (`web/README.md`). The server reads the pages into memory, so that a new build does not change a
 * running server.
 */
export type BuiltPages = Readonly<{
  languages: readonly string[];
  pages: ReadonlyMap<string, BuiltPage>;
  files: ReadonlyMap<string, BuiltFile>;
  /** The paths of the files that the page of the API reference loads. */
  reference: ReferenceFiles;
}>;
type ReferenceFiles = Readonly<{ styles: readonly string[]; scripts: readonly string[] }>;

type Manifest = Readonly<{
  languages: readonly string[];
  pages: Readonly<Record<string, string>>;
  styles: Readonly<Record<string, readonly string[]>>;
  files: Readonly<Record<string, Readonly<{ type: string; br?: string; gz?: string }>>>;
  reference: ReferenceFiles;
}>;

/** Reads the built pages; undefined if no pages were built. */
export function builtPages(): BuiltPages | undefined {
  const folder = folders.find((one) => existsSync(join(one, 'manifest.json')));
  if (folder === undefined) return undefined;
  const read = (path: string) => readFileSync(join(folder, path));
  const maybe = (path: string | undefined) => (path === undefined ? undefined : read(path));
  const { languages, pages, styles, files, reference } = JSON.parse(read('manifest.json').toString()) as Manifest;
  return {
    languages,
    reference,
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

/** The possible folders of the pages: one for the compiled server, one for a server that runs from its sources. */
const folders = ['../../../../../../web', '../../../../dist/web'].map((path) => join(__dirname, path));
