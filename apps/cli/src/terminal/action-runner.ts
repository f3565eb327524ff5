import { existsSync } from 'node:fs';
import { type Charter, forgetNote, openCharter } from '@charter/application';
import { settings } from '@charter/settings';
import type { Answer } from './command-answer';
import { Declined } from './problem';
import { type Gauge, progressOn } from './progress';

/** What a word has at hand besides the stores. */
export type Desk = Readonly<{
  /** Work that lasts ends when it is asked to. */
  signal: AbortSignal;
  /** Shows how far long work is, where somebody is watching; ends it by throwing once it shall stop. */
  progress: (what: string, total: number) => (done: number) => void;
  /** The same where only a part is known. */
  gauge: (what: string) => Gauge;
}>;

/** Nothing: the word has printed all of it already. */
type Said = Answer | undefined;

/** How words are carried out: what they answer is printed. */
export type Doing = Readonly<{
  /** What needs no store. */
  alone: (work: (desk: Desk) => Said | Promise<Said>) => Promise<void>;
  /**
   * Opens the stores beside whoever uses them. A word that only reads does not found what it did not find; one that proves
   * leaves a backup the backup that it is.
   */
  onStores: (work: (charter: Charter, desk: Desk) => Promise<Said>, how?: 'may be founded' | 'proves') => Promise<void>;
}>;

export function desk(signal: AbortSignal) {
  let answer: Answer | undefined;
  const bar = progressOn(process.stderr);
  const here: Desk = {
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
  const alone: Doing['alone'] = async (work) => {
    answer = await work(here);
    bar.end();
  };
  const onStores: Doing['onStores'] = (work, how) =>
    alone(async () => {
      const charter = await opened(how === 'may be founded');
      if (how !== 'proves') forgetNote(charter.settings.data);
      try {
        return await work(charter, here);
      } finally {
        await charter.close();
      }
    });
  return { doing: { alone, onStores } satisfies Doing, answered: () => answer, end: bar.end };
}

async function opened(mayFound: boolean): Promise<Charter> {
  const set = settings();
  if (!mayFound && !set.eventStore && !existsSync(set.eventLog))
    throw new Declined(
      'no-store',
      404,
      `There is no event log at ${set.eventLog}. The settings CHARTER_DATA and EVENT_LOG say where it is.`,
    );
  return openCharter(set, 'beside', (sentence) => process.stderr.write(`charter: ${sentence}\n`));
}
