#!/usr/bin/env node
// Makes a fresh clone ready: installs the packages, checks the version of Node and, with --build, builds. This script
// runs before Node 24 is installed, so it has no dependencies and uses only features of Node 18. The script writes only
// to stderr, because `charter --json` prints to stdout.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm, NpmMissing } from './npm.mjs';
import { oneAtATime } from './one-at-a-time.mjs';

/** An error whose message says why the repository cannot be made ready. */
export class NotReady extends Error {}

/**
 * Makes the repository at `root` ready: installs packages if `package-lock.json` has changed, and with `build`, builds
 * if the sources have changed. Takes a few milliseconds if nothing changed. Throws NotReady.
 */
export async function ready({ root = here, build = false } = {}) {
  if (!isReady(root, build)) await oneAtATime(path.join(root, 'dist.lock'), () => makeReady(root, build), say);
}

/** Makes the repository ready; if this fails, prints the reason to stderr and exits with 1. */
export async function readyOrExit(wanted) {
  try {
    await ready(wanted);
  } catch (error) {
    say(error instanceof NotReady || error instanceof NpmMissing ? error.message : error.stack);
    process.exit(1);
  }
}

/** The Node in `node_modules` if there is one, otherwise the Node that runs this script. */
export function nodeOf(root = here) {
  const bundled = path.join(root, 'node_modules', '.bin', 'node');
  return existsSync(bundled) ? bundled : process.execPath;
}

/** Whether `version`, for example "v24.9.0", contains the `node:sqlite` that Charter needs: from 24.9 on. */
export function isNewEnough(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 9);
}

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const say = (sentence) => process.stderr.write(`${sentence}\n`);
const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

const isReady = (root, build) => isInstalled(root) && checkNode(root) && (!build || isBuilt(root));

/**
 * Checks again what is missing, because another process may have done the work while this process waited for the lock.
 */
async function makeReady(root, build) {
  if (!isInstalled(root)) await install(root);
  checkNode(root);
  if (build && !isBuilt(root)) await buildAnew(root);
}

const installedStamp = (root) => path.join(root, 'node_modules', '.ready');
const isInstalled = (root) => textOf(installedStamp(root)) === lockPrint(root);

function lockPrint(root) {
  const lock = textOf(path.join(root, 'package-lock.json'));
  if (lock === undefined) throw new NotReady(`There is no package-lock.json in ${root}; is the clone complete?`);
  return createHash('sha256').update(`${process.platform} ${process.arch}\n${lock}`).digest('hex');
}

async function install(root) {
  const stamp = lockPrint(root);
  const packages = packagesOf(root);
  say(`Installing about ${packages.length} packages; this takes a few minutes, once.`);
  rmSync(installedStamp(root), { force: true });
  const began = Date.now();
  const everything = ['--include=dev', '--include=optional'];
  const reports = setInterval(() => say(progressOf(packages, began)), REPORT_MS);
  const { code } = await npm(root, ['ci', ...everything, '--loglevel=error', '--no-audit', '--no-fund']).finally(() =>
    clearInterval(reports),
  );
  if (typeof code === 'string')
    throw new NotReady(`${code} stopped the installation of the packages. Run the command again.`);
  if (code !== 0) {
    throw new NotReady(
      `The packages could not be installed: npm ci ended with ${code}. Is the npm registry reachable?`,
    );
  }
  linkCommand(root);
  writeFileSync(installedStamp(root), stamp);
}

/** Milliseconds between two lines about the progress of an install. */
const REPORT_MS = 5_000;

/**
 * The folders of the packages for this system. npm installs a few packages fewer, because only packages for other
 * systems need them.
 */
function packagesOf(root) {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const libc = process.report?.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  const system = { os: process.platform, cpu: process.arch, libc };
  const foreign = Object.keys(packages).filter((name) => !fitsSystem(system, packages[name]));
  return Object.keys(packages)
    .filter((name) => name.startsWith('node_modules/'))
    .filter((name) => !foreign.some((folder) => name === folder || name.startsWith(`${folder}/`)))
    .map((name) => path.join(root, name));
}

/** Whether npm installs the package on the system. `os: ['!win32']` of a package excludes a system. */
function fitsSystem(system, wanted) {
  return Object.entries(system).every(([field, own]) => {
    const names = [wanted[field] ?? []].flat();
    const isListed = names.includes(own) || names.every((name) => name.startsWith('!'));
    return isListed && !names.includes(`!${own}`);
  });
}

/**
 * How many packages npm has unpacked, and how long the install has taken. npm first makes the folders of all packages,
 * so only a folder with a `package.json` counts.
 */
function progressOf(packages, began) {
  const unpacked = packages.filter((folder) => existsSync(path.join(folder, 'package.json'))).length;
  const seconds = Math.round((Date.now() - began) / 1000);
  if (unpacked === 0) return `  npm is still downloading the first packages after ${seconds} s`;
  return `  ${unpacked} of about ${packages.length} packages after ${seconds} s`;
}

/**
 * Lets `npx charter` find the command. Without the link, npx would link the repository's folder into its cache, with
 * warnings.
 */
function linkCommand(root) {
  const commands = path.join(root, 'node_modules', '.bin');
  mkdirSync(commands, { recursive: true });
  if (process.platform !== 'win32') symlinkSync('../../bin/charter.mjs', path.join(commands, 'charter'));
}

function checkNode(root) {
  const node = nodeOf(root);
  if (realpathSync(node) === process.execPath && isNewEnough(process.version)) return true;
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (stdout && isNewEnough(stdout.trim())) return true;
  const found = stdout ? `${node} is ${stdout.trim()}` : `${node} does not run on this system`;
  throw new NotReady(
    `Charter needs Node 24.9 or newer, but ${found}: install it from https://nodejs.org and try again.`,
  );
}

const builtStamp = (dist) => path.join(dist, '.built');

/**
 * Whether `dist` was built from the present sources. Reads the contents of the sources only if a file was written since
 * the last check, because reading takes longer than most commands.
 */
function isBuilt(root) {
  const dist = path.join(root, 'dist');
  const stamp = textOf(builtStamp(dist));
  if (stamp === undefined) return false;
  const checked = path.join(dist, '.checked');
  const { print, newest } = statePrint(root); // before the contents, so that a later edit changes this hash
  if (textOf(checked) === `${stamp} ${print}`) return true;
  if (stamp !== sourcePrint(root)) return false;
  // a file system with coarse times can give two edits the same time
  if (Date.now() - newest > COARSE_MS) noteIfPossible(checked, `${stamp} ${print}`);
  return true;
}
const COARSE_MS = 1_000;

/** Writes a file that only makes later starts faster. A missing permission and a full disk are therefore no errors. */
function noteIfPossible(file, text) {
  try {
    writeFileSync(file, text);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(error.code)) throw error;
  }
}

/** A hash of the sizes and times of all sources, and the time of the newest change. No program can set this time. */
function statePrint(root) {
  const print = createHash('sha256');
  let newest = 0;
  for (const file of [path.join(root, 'package-lock.json'), ...sourcesOf(root)]) {
    const { size, ino, ctimeMs } = statSync(file);
    print.update(`${file} ${size} ${ino} ${ctimeMs}\n`);
    newest = Math.max(newest, ctimeMs);
  }
  return { print: print.digest('hex'), newest };
}

/**
 * A hash of the files that the build reads. The hash covers contents and not file times, because a copy or another
 * branch changes file times.
 */
function sourcePrint(root) {
  const print = createHash('sha256').update(lockPrint(root));
  for (const file of sourcesOf(root)) print.update(`\n${path.relative(root, file)}\n`).update(readFileSync(file));
  return print.digest('hex');
}

function sourcesOf(root) {
  const scripts = ['build', 'build-client', 'bundle'].map((name) => `scripts/${name}.mjs`);
  const names = ['nest-cli.json', '.swcrc', 'package.json', 'tsconfig.json', ...scripts];
  const settings = names.map((name) => path.join(root, name));
  return [...settings.filter(existsSync), ...['apps', 'libs', 'web'].flatMap((name) => filesIn(path.join(root, name)))];
}

const notBuilt = /\.(spec|contract|testing)\.tsx?$|\.md$/;

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(file);
    return entry.isFile() && !notBuilt.test(entry.name) ? [file] : [];
  });
}

/**
 * Builds into dist.next and renames it to dist, so that a running server keeps its files until the end of the build.
 */
async function buildAnew(root) {
  const [dist, next, old] = ['dist', 'dist.next', 'dist.old'].map((name) => path.join(root, name));
  const stamp = sourcePrint(root); // computed before the build, so that an edit during the build causes another build
  say('Building; this takes a few seconds.');
  rmSync(next, { recursive: true, force: true });
  const build = ['run', 'build', '--', '--path', 'apps/api/tsconfig.next.json'];
  const { code, printed } = await npm(root, build, { quietly: true });
  if (code !== 0) throw new NotReady(`${printed}\nThe build failed: npm run build ended with ${code}.`);
  writeFileSync(builtStamp(next), stamp);
  rmSync(old, { recursive: true, force: true });
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(next, dist);
  rmSync(old, { recursive: true, force: true });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await readyOrExit({ build: process.argv.includes('--build') });
}
