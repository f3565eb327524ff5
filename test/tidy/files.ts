import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type SourceFile = Readonly<{ path: string; text: string }>;

/** One place that breaks a rule. The first line is 1; the line is 0 if the file itself breaks the rule. */
export type Finding = Readonly<{ path: string; line: number; what: string }>;

const patterns = [
  '*.{md,cjs,mjs,yml}',
  'Dockerfile',
  '.ci/*',
  '.*.cjs',
  '{apps,libs,test,web,scripts,bin,docs,deploy}/**/*.{ts,tsx,mts,cts,mjs,cjs,js,md,css,sh,yml,po}',
];

/** These files contain the cases that the rules must find, so the rules skip them. */
const planted = /^test\/tidy(\.spec\.ts$|\/)/;
const generated =
  /(^|\/)(node_modules|dist|data|coverage)\/|^test\/bench\/results\/|^libs\/client\/src\/types\.ts$|^web\/locales\/.*\/(?!en)[a-z]+\.po$/;

/** All files of the project with code or prose, except installed and generated files. */
export function projectFiles(root: string): readonly SourceFile[] {
  const paths = globSync(patterns, { cwd: root, exclude: (name) => /^(node_modules|dist)$/.test(name) });
  return [...new Set(paths)]
    .filter((path) => !planted.test(path) && !generated.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

export const isCode = (path: string) => /\.([mc]?[jt]s|tsx)$/.test(path);
export const isTest = (path: string) => /[./](spec|contract|testing|nightly|screenshots)\.tsx?$/.test(path);

/** Whether the file is part of the product. */
export const isProduct = (path: string) => /^(libs|apps)\/|^web\/src\//.test(path) && /\.tsx?$/.test(path);
