import type { Receipt } from '@charter/aggregates';
import type { Envelope } from '@charter/event-log';
import { type OrganizationCommand, type OrganizationEvent, organizationStream } from '@charter/organization';
import type { Organizations } from './organizations';

type Commands = OrganizationCommand | readonly OrganizationCommand[];

/** One or several commands that were executed in one append, and their receipt. */
export type ExecutedCommand = Readonly<{
  organization: string;
  commands: Commands;
  receipt: Receipt<OrganizationEvent>;
}>;

/** One or several commands that were refused or have failed. */
export type FailedCommand = Readonly<{ organization: string; commands: Commands; error: unknown }>;

/** The work that a process does after a command was executed or has failed. */
export type CommandEffects = Readonly<{
  /** Called before a command is executed, even if the rules then refuse the command. */
  before?: (organization: string, commands: Commands, context: Envelope) => Promise<void>;
  /**
   * The after-effects run in the order of the list, before the caller gets the receipt. The after-effects also run when
   * a command is repeated. A crash between the append and its after-effects therefore loses no effect.
   */
  after: readonly ((executed: ExecutedCommand) => unknown)[];
  /** Called with the error of a refused or failed command. The caller then gets the same error. */
  failed?: (failure: FailedCommand) => unknown;
}>;

/**
 * Executes commands of organizations. A process executes commands of organizations only through `OrganizationCommands`.
 */
export type OrganizationCommands = Readonly<{
  /**
   * Executes one or several commands in one append: either all of them or none.
   * @throws the errors of `Aggregates.execute` and of the after-effects; a retry with the same command id is safe
   */
  execute: (organization: string, commands: Commands, context: Envelope) => Promise<Receipt<OrganizationEvent>>;
}>;

export function organizationCommands(
  organizations: Pick<Organizations, 'execute'>,
  { before, after, failed }: CommandEffects,
): OrganizationCommands {
  return {
    execute: async (organization, commands, context) => {
      await before?.(organization, commands, context);
      const receipt = await organizations
        .execute(organizationStream(organization), commands, context)
        .catch(async (error: unknown) => {
          await failed?.({ organization, commands, error });
          throw error;
        });
      for (const effect of after) await effect({ organization, commands, receipt });
      return receipt;
    },
  };
}
