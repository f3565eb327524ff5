import { randomUUID } from 'node:crypto';
import type { Actor } from '@charter/decider';
import type { Envelope } from '@charter/event-log';

/**
 * The actor has all permissions, because a person who can run this command can also read and write the stores directly.
 */
const commandLine: Actor = { kind: 'system', id: 'command-line', powers: ['operator'] };

/**
 * The context of a command that an operator types. The command id is random, because each call of the command line is a
 * new command. Correlation and causation are the same id.
 */
export function commandLineContext(): Envelope {
  const command = randomUUID();
  return { actor: commandLine, at: new Date().toISOString(), command, correlation: command, causation: command };
}
