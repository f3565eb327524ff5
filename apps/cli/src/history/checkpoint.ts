import { SignedHeadsInvalid, SignedMeanwhile, SigningRefused, signWholeLog } from '@charter/application';
import type { Charter } from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionContext, ActionRunner } from '../terminal/action-runner';
import { CommandDeclined } from '../terminal/problem';
import { countText } from '../terminal/amounts';

export function addCheckpoint(program: Command, { withStores }: ActionRunner): void {
  const word = program.command('checkpoint').description('signed checkpoints over the event log');
  word
    .command('key')
    .description('print the public key, which verifies signed exports and checkpoints, for auditors to keep')
    .action(() => withStores(({ signer: { verifierKey: key } }) => Promise.resolve({ text: key, json: { key } })));
  word
    .command('show')
    .description('print the last signed checkpoint over the whole log, to keep it elsewhere')
    .action(() => withStores(shown));
  word
    .command('sign')
    .description('sign a checkpoint now, over all events since the last checkpoint')
    .option('--anew', 'verify every chain from its beginning and discard earlier signatures, after a restore')
    .action(({ anew = false }: { anew?: boolean }) => withStores((charter, context) => signed(charter, context, anew)));
}

async function shown({ database }: Charter): Promise<CommandAnswer> {
  const note = await database.signedHeads.note();
  if (note === undefined)
    throw new CommandDeclined('never-signed', 404, 'There is no signed checkpoint yet. Run: charter checkpoint sign');
  return { text: note.trimEnd(), json: { note } };
}

async function signed(charter: Charter, context: ActionContext, anew: boolean): Promise<CommandAnswer> {
  const show = context.gauge('events');
  const head = Math.max(1, Number(await charter.log.head()));
  const onEvents = (events: number) => show(events / head, String(events));
  const made = await signWholeLog(charter, { at: new Date().toISOString(), anew, onEvents }).catch((error: unknown) => {
    if (error instanceof SigningRefused || error instanceof SignedHeadsInvalid || error instanceof SignedMeanwhile)
      throw new CommandDeclined('not-signed', 409, error.message);
    throw error;
  });
  if (!made) throw new CommandDeclined('nothing-to-sign', 409, 'There is nothing to sign: the event log is empty.');
  const { note, checkpoint } = made;
  return {
    text: `${note.trimEnd()}\n\nSigned over ${countText(checkpoint.events, 'event')}. Keep the note in a place that no person with access to the stores can change.`,
    json: { note, ...checkpoint },
  };
}
