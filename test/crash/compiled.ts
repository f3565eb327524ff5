import { mkdtempSync, readdirSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformFileSync } from '@swc/core';

const sources = join(__dirname, '../../libs/event-log/src');

/**
 * Compiles the current sources of the event log to JavaScript in a new folder, and returns the folder. Crash tests run
 * these files in child processes, because Node alone cannot run the TypeScript sources.
 */
export function compiledEventLog(): string {
  const folder = mkdtempSync(join(tmpdir(), 'charter-crash-'));
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!/^[^.]*\.ts$/.test(name)) continue; // skips test files, whose names have a second dot
    compile(join(sources, name), join(folder, name.replace(/ts$/, 'js')));
  }
  return folder;
}

/** Compiles one file to JavaScript. */
export function compile(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, transformFileSync(source, options).code);
}

const options = {
  swcrc: false,
  jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs' },
} as const;
