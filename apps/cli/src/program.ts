import { version } from '@charter/settings';
import { Command, type ErrorOptions } from 'commander';
import { addAddOns } from './organizations/add-ons';
import { addAccounts } from './accounts/accounts';
import { addBackup } from './stores/backup';
import { addBilling } from './billing/billing';
import { addImport } from './stores/log-import';
import { addCatalogue } from './catalogue';
import { addCheckpoint } from './history/checkpoint';
import { addCompletion } from './completion/completion';
import type { ActionRunner } from './terminal/action-runner';
import { addDiff } from './history/diff';
import { addExport } from './history/export';
import { addHistory } from './history/history';
import { addImportPeople } from './stores/import-people';
import { addKeys } from './keys/keys';
import { addMembers } from './organizations/members';
import { addOrganization } from './organizations/organization';
import { addPlan } from './organizations/plan';
import { addProjections } from './stores/projections';
import { addReaders } from './history/readers';
import { addServe } from './serve';
import { addVerify } from './history/verify';

/** All commands of the command line. The program prints a usage error with one hint. */
export function charterProgram(doing: ActionRunner): Command {
  const program = new CharterCommand('charter')
    .description('Charter: organizations, their plans, limits and features, each with its reasons.')
    .version(version, '--version', 'print the version')
    .option('--json', 'print one JSON document')
    .option('--verbose', 'print the stack of an unexpected error')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(`${text}${hintAfter(text)}`) })
    .exitOverride();
  for (const add of [
    addServe,
    addOrganization,
    addPlan,
    addAddOns,
    addMembers,
    addAccounts,
    addKeys,
    addBilling,
    addCatalogue,
    addProjections,
    addHistory,
    addReaders,
    addDiff,
    addVerify,
    addCheckpoint,
    addExport,
    addImport,
    addImportPeople,
    addBackup,
    addCompletion,
  ])
    add(program, doing);
  return program;
}

/** The hint after a usage error, unless the error already suggests a similar word. */
function hintAfter(error: string): string {
  if (error.includes('(Did you mean ')) return '';
  if (error.startsWith('error: unknown command')) return 'Run charter --help to print the commands.\n';
  if (error.includes('must be a UUID')) return 'Run charter organization list to print the ids of the organizations.\n';
  return 'Add --help to print the arguments and options of the command.\n';
}

class CharterCommand extends Command {
  override createCommand(name?: string): CharterCommand {
    return new CharterCommand(name);
  }

  /**
   * If a required option is missing and another option is unknown, the unknown option is probably misspelled. So the
   * error names the unknown option, and Commander suggests a similar option.
   */
  override error(message: string, options?: ErrorOptions): never {
    const unknown = this.args.find((word) => word.startsWith('--') && word !== '--');
    if (options?.code === 'commander.missingMandatoryOptionValue' && unknown !== undefined) this.unknownOption(unknown);
    return super.error(
      message.replace(/^error: command-argument value (.*) is invalid for argument '(.*?)'/, 'error: $2 $1 is invalid'),
      options,
    );
  }

  /** Commander's own method, which its types do not declare. */
  declare unknownOption: (flag: string) => never;
}
