import { randomUUID } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import {
  noPreferences,
  type Account,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  type PasswordProblem,
  passwordProblem,
  type PlatformRole,
} from '@charter/identity';
import { type Charter, commonPasswords, SERVED_AT } from '@charter/application';
import type { Command } from 'commander';
import { printLink } from './account-link';
import type { CommandAnswer } from '../terminal/command-answer';
import { commandLineContext } from '../terminal/command-line-context';
import type { ActionRunner } from '../terminal/action-runner';
import { CommandDeclined } from '../terminal/problem';
import { email, organizationName, platformRole, username } from '../terminal/argument-values';

type CreateOptions = Readonly<{
  email: string;
  username?: string;
  name?: string;
  role?: PlatformRole;
  passwordStdin?: true;
}>;

export function addCreate(accounts: Command, { withStores }: ActionRunner): void {
  accounts
    .command('create')
    .description('create an account; without a password, print a link that sets it')
    .requiredOption('--email <address>', 'the address that its mails go to and that it signs in with', email)
    .option('--username <name>', 'a second name that it may sign in with', username)
    .option('--name <name>', 'the name of the person', organizationName)
    .option('--role <role>', 'a role on the whole platform: operator or auditor', platformRole)
    .option('--password-stdin', 'read the password from stdin: one line')
    .action((options: CreateOptions, command: Command) => {
      if (options.passwordStdin && process.stdin.isTTY)
        command.error(
          'error: --password-stdin reads from a pipe or a file, so that the password does not show on the screen',
        );
      return withStores((charter, { signal }) => create(charter, options, signal), 'may be founded');
    });
}

async function create(charter: Charter, options: CreateOptions, signal: AbortSignal): Promise<CommandAnswer> {
  const { accounts, database, trail } = charter;
  const account = newAccount(
    options,
    options.passwordStdin ? await hashOf(charter, options, await lineFrom(process.stdin, signal)) : null,
  );
  signal.throwIfAborted();
  const outcome = await database.people.accounts.insert(account);
  if (outcome !== 'made') throw taken[outcome];
  const { actor, at, correlation } = commandLineContext();
  // Each audit event needs a separate command id: with the same id, the log would treat the second event as a
  // repetition.
  const context = { actor, at, correlation };
  await trail.record({ account: account.id }, { type: 'AccountCreated', data: { by: 'command-line' } }, context);
  // The account gets its role only after the log contains the event, so the log contains every role, even after a
  // crash.
  if (options.role) await accounts.assignRole(account.id, options.role, context);
  const answer: CommandAnswer =
    account.state === 'invited'
      ? await printLink(charter, account)
      : { text: `The account ${account.id} is created.`, json: { id: account.id } };
  return (await database.marks.get(SERVED_AT)) ? answer : { ...answer, text: `${answer.text}\n\n${unserved(charter)}` };
}

/** A person may have forgotten the settings of the server, so that the command created the account in other stores. */
const unserved = ({ settings: { data } }: Charter) =>
  `No server has used these stores (${data}) yet. If your server uses other stores, run the command with its CHARTER_DATA, EVENT_LOG and DOCUMENTS.`;

const newAccount = (options: CreateOptions, passwordHash: string | null): Account => ({
  id: randomUUID(),
  state: passwordHash === null ? 'invited' : 'active',
  email: options.email,
  emailVerified: false,
  username: options.username ?? null,
  name: options.name ?? null,
  role: null,
  ...noPreferences,
  passwordHash,
  created: new Date().toISOString(),
  version: 0,
});

const taken = {
  'email-taken': new CommandDeclined('email-taken', 409, 'There is an account with this e-mail address already.'),
  'username-taken': new CommandDeclined('username-taken', 409, 'There is an account with this username already.'),
};

/** @throws CommandDeclined if the password rules refuse the password */
async function hashOf({ passwords, settings }: Charter, options: CreateOptions, password: string): Promise<string> {
  const { email: address, username: called = null, name = null } = options;
  const about = { product: settings.productName, organizations: [], email: address, username: called, name };
  const problem = passwordProblem(password, about, await commonPasswords());
  if (problem) throw new CommandDeclined('password-refused', 400, refusals[problem], { because: problem });
  return passwords.hash(password);
}

const refusals: Readonly<Record<PasswordProblem, string>> = {
  'too-short': `The password must have at least ${PASSWORD_LENGTH_MIN} characters.`,
  'too-long': `The password must have at most ${PASSWORD_LENGTH_MAX} characters.`,
  common: 'This password is too common. Choose another one.',
  personal: 'The password consists mostly of names of the product or the person. Choose another one.',
};

/** Returns the typed line without its line break. Spaces at the beginning or the end are a part of the password. */
async function lineFrom(input: Readable, signal: AbortSignal): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of addAbortSignal(signal, input) as AsyncIterable<Buffer>) pieces.push(piece);
  const text = Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (/[\r\n]/.test(text))
    throw new CommandDeclined(
      'password-refused',
      400,
      'The standard input contains more than one line. A password is one line.',
    );
  return text;
}
