import type { BillingFact } from '@charter/billing';
import {
  type BillingService,
  billingService,
  type Charter,
  handleOf,
  messageKeyOf,
  type StoredMessage,
} from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionContext, ActionRunner } from '../terminal/action-runner';
import { commandLineCommands } from '../terminal/organization-commands';
import { CommandDeclined, problemOfFailure } from '../terminal/problem';
import { countText } from '../terminal/amounts';
import { table } from '../terminal/table';
import { parseCount, reasonText } from '../terminal/argument-values';

export function addBilling(program: Command, { withStores }: ActionRunner): void {
  const billing = program.command('billing').description('messages of payment providers');
  billing
    .command('quarantine')
    .description('list messages in quarantine with their reasons, newest first')
    .option('--limit <n>', 'the largest number of entries', parseCount, 100)
    .action(({ limit }: { limit: number }) => withStores((charter) => quarantine(charter, limit)));
  billing
    .command('replay')
    .description('apply a waiting message again, or all of them; a repeated message counts once')
    .argument('[MESSAGE]', 'its id, as printed in the list')
    .option('--all', 'all waiting messages, oldest first')
    .action(async (id: string | undefined, { all }: { all?: true }, command: Command) => {
      if ((id === undefined) === (all === undefined)) command.error('error: name one message, or --all');
      await withStores((charter, context) => (id === undefined ? replayAll(charter, context) : replayOne(charter, id)));
    });
  billing
    .command('dismiss')
    .description('dismiss a message in quarantine, so that it is never applied')
    .argument('<MESSAGE>', 'its id, as printed in the list')
    .requiredOption('--reason <text>', 'the reason, which Charter stores with the message', reasonText)
    .action((id: string, { reason }: { reason: string }) => withStores((charter) => dismiss(charter, id, reason)));
}

async function quarantine({ database: { inbox } }: Charter, limit: number): Promise<CommandAnswer> {
  const found = await inbox.list<BillingFact>({ state: 'quarantined', limit: limit + 1 });
  const messages = found.slice(0, limit);
  const rows = messages.map((message) => [
    handleOf(message),
    message.id,
    message.type,
    message.received,
    message.organization ?? message.customer ?? '-',
    message.reason ?? '-',
  ]);
  const notes = [
    rows.length > 0 ? table(['ID', 'MESSAGE', 'TYPE', 'RECEIVED', 'OF', 'REASON'], rows) : 'No message waits.',
    ...messages.slice(0, 1).flatMap(({ detail }) => (detail ? [`The newest: ${detail}`] : [])),
    ...(found.length > limit ? [`There are more: --limit ${limit * 2}`] : []),
  ];
  return { text: notes.join('\n\n'), json: { messages: messages.map(shownOf) } };
}

/** Repeating the command has no further effect: the message keeps the reason of the first dismissal. */
async function dismiss(charter: Charter, id: string, reason: string): Promise<CommandAnswer> {
  const found = await messageNamed(charter, id);
  if (found && found.state !== 'quarantined' && found.state !== 'dismissed')
    throw new CommandDeclined('not-quarantined', 409, `The message ${id} is not in quarantine: it is ${found.state}.`);
  if (!found) throw noSuchMessage(id);
  // The actor of the command line has no account, so no audit stream records the decision. The message stores it.
  await keepingOf(charter).dismiss(found, reason, () => Promise.resolve());
  const { state, detail } = (await messageNamed(charter, id))!;
  return { text: `${id} is ${state}: ${detail}`, json: { id, state, detail } };
}

const noSuchMessage = (id: string) =>
  new CommandDeclined(
    'no-such-message',
    404,
    `There is no message ${id}. Run charter billing quarantine to print the ids of the messages.`,
  );

async function messageNamed({ database: { inbox } }: Charter, id: string): Promise<StoredMessage | undefined> {
  const named = messageKeyOf(id);
  return named && (await inbox.find<BillingFact>(named));
}

async function replayOne(charter: Charter, id: string): Promise<CommandAnswer> {
  const found = await messageNamed(charter, id);
  if (found?.state === 'received')
    throw new CommandDeclined(
      'not-quarantined',
      409,
      `The message ${id} is not in quarantine: a server is still applying it.`,
    );
  const taken = found && (await keepingOf(charter).replay(found));
  if (!taken) throw noSuchMessage(id);
  const { outcome, reason, detail, was } = taken;
  const isDone = outcome !== 'quarantined';
  const text = isDone
    ? `${id} is ${was === 'quarantined' ? outcome : was}.`
    : `The message ${id} still waits: ${detail ?? reason ?? 'no reason is recorded'}`;
  return { text, json: { id, outcome, ...(reason !== undefined && { reason }) }, ok: isDone };
}

/**
 * Replays the oldest message first, so that the messages about a subscription are applied in order. A message that
 * fails, for example because an event of its organization is unreadable, does not delay the other messages.
 */
async function replayAll(charter: Charter, context: ActionContext): Promise<CommandAnswer> {
  const waiting = await allThatWait(charter);
  const keeping = keepingOf(charter);
  const done = context.progress('messages', waiting.length);
  const results = [];
  const failures: string[] = [];
  for (const [index, message] of waiting.toReversed().entries()) {
    const id = handleOf(message);
    try {
      const taken = await keeping.replay(message);
      results.push({ id, outcome: taken?.outcome ?? 'ignored', reason: taken?.reason ?? null });
    } catch (error) {
      const { type, detail } = problemOfFailure(error).problem;
      if (type === '/problems/unavailable') throw error; // the other messages would fail for the same reason
      results.push({ id, outcome: 'quarantined', reason: type.replace('/problems/', '') });
      failures.push(`The message ${id} failed: ${detail}`);
    }
    done(index + 1);
  }
  const left = results.filter(({ outcome }) => outcome === 'quarantined').length;
  const text =
    results.length === 0
      ? 'No message waits.'
      : `${countText(results.length - left, 'message')} applied; ${left === 0 ? 'no message waits' : `${left} still wait`}.`;
  return { text: [text, ...failures].join('\n\n'), json: { results }, ok: left === 0 };
}

async function allThatWait({ database: { inbox } }: Charter): Promise<readonly StoredMessage[]> {
  const all: StoredMessage[] = [];
  for (;;) {
    const page = await inbox.list<BillingFact>({ state: 'quarantined', before: all.at(-1), limit: PAGE });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
const PAGE = 100;

/**
 * Creates the billing service for a command of the command line. This service raises no alarm, because the server has
 * already raised an alarm for each message in quarantine.
 */
const keepingOf = (charter: Charter): BillingService =>
  billingService({
    ...charter,
    now: Date.now,
    reading: { prices: charter.catalogue, countsTests: charter.settings.countsStripeTests },
    // Only a server sends queries to Stripe. After this error, the server applies the message once more.
    currentSubscription:
      charter.settings.stripeSecretKey === undefined
        ? undefined
        : () => Promise.reject(new Error('The command line sends no queries to Stripe.')),
    execute: commandLineCommands(charter).execute,
    alarm: () => undefined,
  });

const shownOf = (message: StoredMessage) => {
  const { provider, id, type, time, organization, customer, subscription, reason, detail, received } = message;
  return {
    id: handleOf(message),
    provider,
    message: id,
    type,
    time,
    organization,
    customer,
    subscription,
    reason,
    detail,
    received,
  };
};
