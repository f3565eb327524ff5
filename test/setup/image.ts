import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { isLeftOut, type Stage, stagesOf } from './dockerfile';

export const clone = resolve(__dirname, '../..');
const read = (file: string) => readFileSync(join(clone, file), 'utf8');
export const stages = stagesOf(read('Dockerfile'));
export const rules = read('.dockerignore');

/**
 * An image that is made without a container engine. Each stage is a folder, which replaces `/` for the steps of the
 * stage. Paths in `ENV` and in commands are moved under this folder. The steps use the Node and the shell of this
 * system, not of the base image.
 */
export class Image {
  readonly folder = mkdtempSync(join(tmpdir(), 'charter-image-'));

  constructor() {
    chmodSync(this.folder, 0o755);
  }

  /** The folder that replaces `/` in a stage. */
  root(name: string): string {
    return join(this.folder, name);
  }

  /** Executes the WORKDIR, RUN and COPY steps of a stage. */
  make({ name, steps }: Stage): void {
    const root = this.root(name);
    let work = root;
    mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
    linked(realpathSync(process.execPath), join(root, 'usr/local/bin/node'));
    for (const { does, given, flags } of steps) {
      if (does === 'WORKDIR') mkdirSync((work = join(root, given)), { recursive: true });
      if (does === 'RUN') this.run(root, work, given);
      if (does === 'COPY') this.copy(given.split(' '), flags, { root, work });
    }
  }

  private copy(words: readonly string[], flags: Readonly<Record<string, string>>, at: { root: string; work: string }) {
    const from = flags['from'];
    const to = words.at(-1)!;
    const target = to.startsWith('/') ? join(at.root, to) : join(at.work, to);
    for (const word of words.slice(0, -1)) {
      const source = from === undefined ? join(clone, word) : join(this.root(from), word);
      const into = to.endsWith('/') || to === '.' ? join(target, basename(word)) : target;
      const filter = (path: string) => from !== undefined || !isLeftOut(path.slice(clone.length + 1), rules);
      mkdirSync(dirname(into), { recursive: true });
      if (from === undefined) cpSync(source, into, { recursive: true, filter });
      else copied(source, dirname(into));
      if (flags['chmod']) chmodSync(into, Number.parseInt(flags['chmod'], 8));
    }
  }

  private run(root: string, cwd: string, command: string): void {
    const tools = join(this.folder, 'tools');
    mkdirSync(tools, { recursive: true });
    // Only root can change the owner of a folder. Any other user who runs the test already owns all files, so a
    // `chown` that does nothing replaces the real command.
    if (process.getuid?.() !== 0) writeFileSync(join(tools, 'chown'), '#!/bin/sh\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${tools}:${process.env['PATH']}` };
    execFileSync('sh', ['-ec', movedTo(root, command)], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The text with the absolute paths of the image moved under `root`, the folder that replaces `/`. */
export const movedTo = (root: string, text: string): string =>
  text.replace(/(^|[\s=])(\/(?:charter|var|usr|tmp)\b)/g, `$1${root}$2`);

export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

/** Copies a file or folder. The copies are hard links, which use no space, if the file system supports hard links. */
function copied(from: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('cp', ['-al', from, folder], { stdio: 'ignore' });
  } catch {
    cpSync(from, join(folder, basename(from)), { recursive: true, force: true, verbatimSymlinks: true });
  }
}

function linked(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
