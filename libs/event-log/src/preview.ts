import { type Asked, decideAll, type Decider, type Folded, type Immutable, type Message } from '@charter/decider';
import { plain } from './chain';
import { bare } from './earlier';
import { inOrder } from './envelope';
import type { Preview } from './outcomes';

/** What these commands would do now, worked out on copies: the real decisions, and nothing written. */
export function previewOn<Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  { state, revision, at }: Folded<Draft>,
  commands: readonly Command[],
  by: Asked,
): Preview<Draft, Event, Reason> {
  const before = { state: structuredClone(state) as Immutable<Draft>, revision, at };
  const asked = inOrder(by, at);
  const decision = decideAll(decider, commands, before, asked);
  if ('refusal' in decision) return { revision, ...decision };

  const events = decision.events.map((event) => plain(bare(event)));
  const end = events.length > 0 ? asked.at : at;
  return { revision, before, after: { state: decision.after, revision: revision + events.length, at: end }, events };
}
