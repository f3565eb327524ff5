import { statSync } from 'node:fs';
import { type Charter, emptyBackupNote, renewBackupNote, openCharter } from '@charter/application';
import { publicDocumentFields } from '@charter/organization-view';
import { readSettings } from '@charter/settings';
import type { CommandAnswer } from './command-answer';
import { CommandDeclined } from './problem';
import { type ProgressGauge, createProgress } from './progress';

/** The functions that an action gets in addition to the stores. */
export type ActionContext = Readonly<{
  /** Aborted when the operator interrupts the command; long work must then stop. */
  signal: AbortSignal;
  /** Shows the progress on a terminal. The returned function throws when the command is interrupted. */
  progress: (what: string, total: number) => (done: number) => void;
  /**
   * Shows the progress of work whose total amount is not known. The caller passes the part that is done, from 0 to 1,
   * to the returned function.
   */
  gauge: (what: string) => ProgressGauge;
}>;

/** Undefined if the action has printed its answer itself. */
type Said = CommandAnswer | undefined;

/** Runs the actions of commands, and keeps their answers, which `run` prints. */
export type ActionRunner = Readonly<{
  /** Runs an action that needs no store. */
  withoutStores: (work: (context: ActionContext) => Said | Promise<Said>) => Promise<void>;
  /** Runs an action on the files of existing stores, and opens no store, because that would migrate the tables. */
  withFiles: (work: (settings: Charter['settings'], context: ActionContext) => Promise<Said>) => Promise<void>;
  /**
   * Opens the stores, even while a server uses them, and runs an action. A missing store is an error, unless `how` is
   * 'may be founded'. Empties the file `backup.json` of a backup, because the action may change the backup. If `how` is
   * 'proves', the action only verifies, so the file stays. It gets new hashes, because opening the stores may have
   * migrated the tables.
   */
  withStores: (
    work: (charter: Charter, context: ActionContext) => Promise<Said>,
    how?: 'may be founded' | 'proves',
  ) => Promise<void>;
}>;

export function createActionRunner(signal: AbortSignal) {
  let answer: CommandAnswer | undefined;
  const bar = createProgress(process.stderr);
  const here: ActionContext = {
    signal,
    progress: (what, total) => {
      const show = bar.begin(what, total);
      return (done) => {
        signal.throwIfAborted();
        show(done);
      };
    },
    gauge: (what) => {
      const show = bar.gauge(what);
      return (part, figures) => {
        signal.throwIfAborted();
        show(part, figures);
      };
    },
  };
  const alone: ActionRunner['withoutStores'] = async (work) => {
    answer = await work(here);
    bar.end();
  };
  const onFiles: ActionRunner['withFiles'] = (work) => alone(() => work(settingsOfStores(false), here));
  const onStores: ActionRunner['withStores'] = (work, how) =>
    alone(async () => {
      const charter = await opened(how === 'may be founded');
      try {
        if (how !== 'proves') emptyBackupNote(charter.settings);
        return await work(charter, here);
      } finally {
        await charter.close();
        if (how === 'proves') renewBackupNote(charter.settings);
      }
    });
  return {
    doing: { withoutStores: alone, withFiles: onFiles, withStores: onStores } satisfies ActionRunner,
    answered: () => answer,
    end: bar.end,
  };
}

const opened = (mayFound: boolean): Promise<Charter> =>
  openCharter(settingsOfStores(mayFound), 'beside', (sentence) => process.stderr.write(`charter: ${sentence}\n`));

function settingsOfStores(mayFound: boolean): Charter['settings'] {
  const set = readSettings(publicDocumentFields);
  if (!mayFound && !set.eventStore) refuseMissing(set.eventLog);
  return set;
}

/** @throws CommandDeclined if the event log does not exist, or if this user may not look into its folder */
function refuseMissing(eventLog: string): void {
  try {
    if (statSync(eventLog, { throwIfNoEntry: false })) return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTDIR')
      throw new CommandDeclined(
        'no-store',
        404,
        `The event log at ${eventLog} cannot be read (${code}). Check the path, or run the command as the user that runs the server.`,
      );
  }
  throw new CommandDeclined(
    'no-store',
    404,
    `There is no event log at ${eventLog}. The settings CHARTER_DATA and EVENT_LOG say where it is.`,
  );
}
