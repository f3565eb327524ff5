import { join } from 'node:path';
import { processRoles } from '@charter/settings';
import { type Command, Option } from 'commander';

/** Starts the server from its built file, so that the command line does not import the server. */
export function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve Charter over HTTP, until it is stopped')
    .addOption(
      new Option('--role <role>', 'the role of this process; overrides the setting ROLE').choices(processRoles),
    )
    .action(async ({ role }: { role?: string }) => {
      process.setSourceMapsEnabled(true);
      const { start } = (await import(join(__dirname, '../../api/src/process/start.js'))) as Starting;
      await start(role === undefined ? {} : { ROLE: role });
    });
}

type Starting = Readonly<{ start: (said: Readonly<Record<string, string>>) => Promise<void> }>;
