import { randomUUID } from 'node:crypto';
import type { Actor } from '@charter/decider';
import type { Envelope } from '@charter/event-log';

/** A person who can run this command can read and write the stores, so the actor has all permissions. */
const commandLine: Actor = { kind: 'system', id: 'command-line', powers: ['operator'] };

/**
 * The context of a command given by hand. The command cannot be repeated, so its id is random, and the same id is its
 * causation.
 */
export function commandLineContext(): Envelope {
  const command = randomUUID();
  return { actor: commandLine, at: new Date().toISOString(), command, correlation: command, causation: command };
}
