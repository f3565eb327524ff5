import { existsSync } from 'node:fs';
import { type Charter, removeBackupNote, openCharter } from '@charter/application';
import { readSettings } from '@charter/settings';
import type { CommandAnswer } from './command-answer';
import { CommandDeclined } from './problem';
import { type ProgressGauge, createProgress } from './progress';

/** What a word has at hand besides the stores. */
export type ActionContext = Readonly<{
  /** Work that lasts ends when it is asked to. */
  signal: AbortSignal;
  /** Shows how far long work is, where somebody is watching; ends it by throwing once it shall stop. */
  progress: (what: string, total: number) => (done: number) => void;
  /** The same where only a part is known. */
  gauge: (what: string) => ProgressGauge;
}>;

/** Nothing: the word has printed all of it already. */
type Said = CommandAnswer | undefined;

/** How words are carried out: what they answer is printed. */
export type ActionRunner = Readonly<{
  /** What needs no store. */
  withoutStores: (work: (desk: ActionContext) => Said | Promise<Said>) => Promise<void>;
  /**
   * Opens the stores beside whoever uses them. A word that only reads does not found what it did not find; one that proves
   * leaves a backup the backup that it is.
   */
  withStores: (
    work: (charter: Charter, desk: ActionContext) => Promise<Said>,
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
  const onStores: ActionRunner['withStores'] = (work, how) =>
    alone(async () => {
      const charter = await opened(how === 'may be founded');
      if (how !== 'proves') removeBackupNote(charter.settings.data);
      try {
        return await work(charter, here);
      } finally {
        await charter.close();
      }
    });
  return {
    doing: { withoutStores: alone, withStores: onStores } satisfies ActionRunner,
    answered: () => answer,
    end: bar.end,
  };
}

async function opened(mayFound: boolean): Promise<Charter> {
  const set = readSettings();
  if (!mayFound && !set.eventStore && !existsSync(set.eventLog))
    throw new CommandDeclined(
      'no-store',
      404,
      `There is no event log at ${set.eventLog}. The settings CHARTER_DATA and EVENT_LOG say where it is.`,
    );
  return openCharter(set, 'beside', (sentence) => process.stderr.write(`charter: ${sentence}\n`));
}
