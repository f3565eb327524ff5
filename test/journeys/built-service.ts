import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { canonicalEmail } from '@charter/identity';
import { type OrganizationCommand, organizationStream } from '@charter/organization';
import { systemClock } from '../../apps/api/src/process/parts/clock';
import { CommandLine } from '../cli/command-line';
import { freePort } from '../support/network/free-port.mjs';
import { person as storedPerson } from '../support/sign-in/people';
import { type Mailbox, openMailbox } from './mailbox';
import { randomUUID } from 'node:crypto';

/** The built service in a child process, with a mail server for its mails. */
export type BuiltService = Readonly<{
  /** The public origin. */
  url: string;
  charter: CommandLine;
  mailbox: Mailbox;
  /** The last 20,000 characters that the process has written. */
  printed: () => string;
  /**
   * With the command line, creates an account without a password. The result contains the link with which the person
   * sets a password.
   */
  invite: (person: InvitedPerson) => Promise<{ id: string; link: string }>;
  /**
   * Stores an account with a password, and resolves with the id of this account. The function writes directly into
   * the service's stores, because a child process needs a second of processor time for each account.
   */
  settle: (person: Person) => Promise<string>;
  /**
   * Executes commands on an organization. If `name` is given, the function first founds an organization with this name.
   * Resolves with the organization's id.
   */
  organization: (wish: ServiceOptions) => Promise<string>;
  /**
   * Ends the process, and starts another process with these additional settings. The new process uses the same stores
   * and the same address.
   */
  restart: (more: Readonly<Record<string, string>>) => Promise<void>;
  close: () => Promise<void>;
}>;
type InvitedPerson = Readonly<{
  email: string;
  username?: string;
  name?: string;
  role?: 'operator' | 'auditor';
}>;
type Person = InvitedPerson & Readonly<{ password: string; emailVerified?: boolean }>;
type ServiceOptions = Readonly<{ id?: string; name?: string; commands?: readonly OrganizationCommand[] }>;

export async function startBuiltService(
  settings: Readonly<Record<string, string>> = {},
  port?: number,
): Promise<BuiltService> {
  const charter = new CommandLine();
  const mailbox = await openMailbox();
  const at = port ?? (await freePort());
  const url = `http://localhost:${at}`;
  const own = { CHARTER_DEMO: 'off', LOG_LEVEL: 'warn', PORT: String(at), SMTP_URL: mailbox.url, ...settings };
  const begin = async (more: Readonly<Record<string, string>> = {}) => {
    const process = charter.serve({ ...own, ...more });
    const printed = printedBy(process);
    await ready(process, at, printed);
    return { process, printed };
  };
  let running = await begin();

  const invite = async ({ email, username, name, role }: InvitedPerson) => {
    const options = Object.entries({ email, username, name, role }).flatMap(([option, value]) =>
      value === undefined ? [] : [`--${option}`, value],
    );
    const { code, stdout, stderr } = await charter.run(['accounts', 'create', ...options, '--json'], own);
    if (code !== 0) throw new Error(`${email} got no account: ${stderr}${stdout}`);
    return JSON.parse(stdout) as { id: string; link: string };
  };
  return {
    url,
    charter,
    mailbox,
    printed: () => running.printed(),
    invite,
    settle: (person) => stored(charter, person),
    organization: (wish) => executeAll(charter, wish),
    restart: async (more) => {
      await stopped(running.process);
      running = await begin(more);
    },
    close: async () => {
      await stopped(running.process);
      await mailbox.close();
      charter.remove();
    },
  };
}

function stored(charter: CommandLine, { email, ...others }: Person): Promise<string> {
  const clock = { ...systemClock, advance: () => undefined };
  // as the command line does: the address counts as verified only when the person has used a mailed link
  const account = { email: canonicalEmail(email)!, emailVerified: false, ...others };
  return charter.inside(async (stores) => (await storedPerson({ charter: stores, clock }, account)).id);
}

async function executeAll(
  charter: CommandLine,
  { id = randomUUID(), name, commands = [] }: ServiceOptions,
): Promise<string> {
  const all: readonly OrganizationCommand[] = [
    ...(name === undefined ? [] : [{ type: 'FoundOrganization' as const, data: { name } }]),
    ...commands,
  ];
  await charter.inside(async ({ organizations }) => {
    for (const command of all)
      await organizations.execute(organizationStream(id), command, {
        actor: { kind: 'system', id: 'journey', powers: ['operator'] },
        at: new Date().toISOString(),
        command: randomUUID(),
        correlation: id,
        causation: id,
      });
  });
  return id;
}

/** Reads all output of the service, because the service would block on a full pipe. */
export function printedBy({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk) => (text = (text + String(chunk)).slice(-20_000)));
  return () => text;
}

/**
 * Waits until the service reports that it is ready. @throws with the output of the service, if its process has ended
 */
export async function ready(process: ChildProcess, port: number, printed: () => string): Promise<void> {
  for (;;) {
    if (process.exitCode !== null) throw new Error(`The service ended with ${process.exitCode}: ${printed()}`);
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    await answer?.text();
    if (answer?.ok) return;
    await pause(25);
  }
}

export async function stopped(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null) return;
  const closed = once(process, 'close');
  process.kill('SIGTERM');
  await closed;
}
