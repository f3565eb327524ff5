import { join } from 'node:path';
import type { Command } from 'commander';

/** Becomes the server: its entry is loaded as it was built, so that the two programs do not import each other. */
export function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve Charter over HTTP, until it is stopped')
    .action(async () => {
      await import(join(__dirname, '../../api/src/main.js'));
    });
}
