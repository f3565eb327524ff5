import { randomUUID } from 'node:crypto';
import type { Actor } from '@charter/decider';
import type { Envelope } from '@charter/event-log';

/** Whoever may run this may read and write the stores themselves, so they may do everything. */
const commandLine: Actor = { kind: 'system', id: 'command-line', powers: ['operator'] };

/** A command given by hand: nobody can repeat it, so its id is random, and nothing but itself set it off. */
export function commandLineContext(): Envelope {
  const command = randomUUID();
  return { actor: commandLine, at: new Date().toISOString(), command, correlation: command, causation: command };
}
