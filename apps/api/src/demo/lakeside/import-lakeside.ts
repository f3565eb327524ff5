import type { Charter, OrganizationCommands } from '@charter/application';
import { uuidv5 } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { lakesideLife } from './lakeside';
import type { RehearsedCommand } from './rehearsal';
import type { LakesideIds } from './stage';
import { lakesideCustomer } from './story';

/**
 * Appends the history of the example organization, with moments in the past. The rules have accepted each command in
 * the rehearsal, and now decide each command again on the real stream. If a crashed process or another running process
 * has executed some commands, this function adds only the missing events.
 */
export async function importLakeside(
  { catalogue, database, organizations }: Pick<Charter, 'catalogue' | 'database' | 'organizations'>,
  execute: OrganizationCommands['execute'],
  { id, ids }: Readonly<{ id: string; ids: LakesideIds }>,
  now: number,
): Promise<void> {
  await database.customers.claim('stripe', lakesideCustomer, id, now);
  const life = lakesideLife(catalogue, ids, now);
  const head = await organizations.query(organizationStream(id), ({ revision }) => revision);
  const missing = life.filter(({ last }) => last > head);
  const executeOne = ({ command, actor, at, request, message, last }: RehearsedCommand) => {
    const correlation = uuidv5(id, `request ${request}`);
    const context = { actor, at, message, command: uuidv5(id, String(last)), correlation };
    return execute(id, command, { ...context, causation: message ?? correlation });
  };
  // one append contains the events of all commands that wait for the stream, so `PART` commands need one commit
  for (let done = 0; done < missing.length; done += PART)
    await Promise.all(missing.slice(done, done + PART).map(executeOne));
}

/**
 * The number of commands that run concurrently. `@charter/aggregates` appends the events of at most 64 commands
 * together.
 */
const PART = 64;
