import { existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the build, and its compressed forms. A file's name changes with its content. */
export type BuiltFile = Readonly<{ type: string; plain: Content; br?: Content | undefined; gz?: Content | undefined }>;
type BuiltPage = Readonly<{ text: () => string; styles: readonly string[] }>;
/** Returns the bytes of a file. */
type Content = () => Buffer;

/** The built pages (`web/README.md`). */
export type BuiltPages = Readonly<{
  languages: readonly string[];
  pages: ReadonlyMap<string, BuiltPage>;
  files: ReadonlyMap<string, BuiltFile>;
  /** The paths of the files that the page of the API reference loads. */
  reference: ReferenceFiles;
  /** The paths of the style sheets of the pages that exist only in demo mode. */
  demo: readonly string[];
}>;
type ReferenceFiles = Readonly<{ styles: readonly string[]; scripts: readonly string[] }>;

type Manifest = Readonly<{
  languages: readonly string[];
  pages: Readonly<Record<string, string>>;
  styles: Readonly<Record<string, readonly string[]>>;
  files: Readonly<Record<string, Readonly<{ type: string; br?: string; gz?: string }>>>;
  reference: ReferenceFiles;
  demo: readonly string[];
  /** For each content, the offset of its first byte in the file `bundle`, and the offset after its last byte. */
  ranges: Readonly<Record<string, readonly [number, number]>>;
}>;

/**
 * Opens the built pages; undefined if no pages were built. The file `bundle` stays open until the process ends, so a
 * running server keeps its pages when a new build deletes the file.
 */
export function builtPages(): BuiltPages | undefined {
  opened ??= openPages();
  return opened;
}
let opened: BuiltPages | undefined;

function openPages(): BuiltPages | undefined {
  const folder = folders.find((one) => existsSync(join(one, 'manifest.json')));
  if (folder === undefined) return undefined;
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  const bundleFd = openSync(join(folder, 'bundle'), 'r');
  const contentOf = (name: string) => lazy(() => bytesAt(bundleFd, manifest.ranges[name]!));
  const textOf = (name: string) => lazy(() => bytesAt(bundleFd, manifest.ranges[name]!).toString());
  const compressedOf = (name: string | undefined) => (name === undefined ? undefined : contentOf(name));
  const pages = Object.entries(manifest.pages).map(
    ([name, file]) => [name, { text: textOf(file), styles: manifest.styles[name] ?? [] }] as const,
  );
  const files = Object.entries(manifest.files).map(
    ([path, { type, br, gz }]) =>
      [path, { type, plain: contentOf(path), br: compressedOf(br), gz: compressedOf(gz) }] as const,
  );
  return {
    languages: manifest.languages,
    reference: manifest.reference,
    demo: manifest.demo,
    pages: new Map(pages),
    files: new Map(files),
  };
}

function bytesAt(bundleFd: number, [start, end]: readonly [number, number]): Buffer {
  const bytes = Buffer.alloc(end - start);
  if (readSync(bundleFd, bytes, { position: start }) < bytes.length)
    throw new Error('dist/web/bundle is shorter than its manifest says: build again, and restart the server.');
  return bytes;
}

/** Computes the value at the first call, and returns the same value at later calls. */
function lazy<Value>(compute: () => Value): () => Value {
  let computed: { value: Value } | undefined;
  return () => (computed ??= { value: compute() }).value;
}

/** The possible folders of the pages: one for the compiled server, one for a server that runs from its sources. */
const folders = ['../../../../../../web', '../../../../dist/web'].map((path) => join(__dirname, path));
