import { version } from '@charter/settings';
import { Command } from 'commander';
import { addAccounts } from './accounts';
import { addBackup } from './backup';
import { addBilling } from './billing';
import { addCarry } from './carry';
import { addCatalogue } from './catalogue';
import { addCheckpoint } from './checkpoint';
import { addCompletion } from './completion';
import type { Doing } from './desk';
import { addDiff } from './diff';
import { addExport } from './export';
import { addHistory } from './history';
import { addImportPeople } from './import-people';
import { addKeys } from './keys';
import { addOrganization } from './organization';
import { addPlan } from './plan';
import { addProjections } from './projections';
import { addServe } from './serve';
import { addVerify } from './verify';

/** All words of the command line. What is wrong with their use is told with the help of the word. */
export function charterProgram(doing: Doing): Command {
  const program = new Command('charter')
    .description('Charter: organizations, their plans and what these allow, each with its reasons.')
    .version(version, '--version', 'print the version')
    .option('--json', 'print one JSON document')
    .option('--verbose', 'print where an unexpected error came from')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError()
    .exitOverride();
  for (const add of [
    addServe,
    addOrganization,
    addPlan,
    addAccounts,
    addKeys,
    addBilling,
    addCatalogue,
    addProjections,
    addHistory,
    addDiff,
    addVerify,
    addCheckpoint,
    addExport,
    addCarry,
    addImportPeople,
    addBackup,
    addCompletion,
  ])
    add(program, doing);
  return program;
}
