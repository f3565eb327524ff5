import type { Receipt } from '@charter/aggregates';
import type { Envelope } from '@charter/event-log';
import { type OrganizationCommand, type OrganizationEvent, organizationStream } from '@charter/organization';
import type { Organizations } from './organizations';

type Commands = OrganizationCommand | readonly OrganizationCommand[];

/** A command that was executed, and its receipt. */
export type ExecutedCommand = Readonly<{
  organization: string;
  commands: Commands;
  receipt: Receipt<OrganizationEvent>;
}>;

/** The effects of a process after commands, and its reaction to failures. */
export type CommandEffects = Readonly<{
  /** Run in this order before the caller gets the receipt, also for a repeated command, so that a crash loses none. */
  after: readonly ((executed: ExecutedCommand) => unknown)[];
  /** Gets the error of a refused or failed command; the caller gets the same error. */
  failed?: (commands: Commands, error: unknown) => void;
}>;

/** The only way in which a process executes commands of organizations. */
export type OrganizationCommands = Readonly<{
  /**
   * One or several commands: all in one append, or none.
   * @throws the errors of `Aggregates.execute` and of after-effects; a retry with the same command id is safe
   */
  execute: (organization: string, commands: Commands, context: Envelope) => Promise<Receipt<OrganizationEvent>>;
}>;

export function organizationCommands(
  organizations: Pick<Organizations, 'execute'>,
  { after, failed }: CommandEffects,
): OrganizationCommands {
  return {
    execute: async (organization, commands, context) => {
      const receipt = await organizations
        .execute(organizationStream(organization), commands, context)
        .catch((error: unknown) => {
          failed?.(commands, error);
          throw error;
        });
      for (const effect of after) await effect({ organization, commands, receipt });
      return receipt;
    },
  };
}
