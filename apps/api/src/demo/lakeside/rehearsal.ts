import { type Actor, emptyStream, fold, isRefusal, type Moment, recorded, deepCopy } from '@charter/decider';
import {
  type Catalogue,
  type Organization,
  organizationDecider,
  type OrganizationCommand,
  type OrganizationDraft,
} from '@charter/organization';
import type { Folded } from '@charter/decider';

/** A command that the rules accepted at a moment in the past. */
export type RehearsedCommand = Readonly<{
  command: OrganizationCommand;
  actor: Actor;
  at: Moment;
  /** All commands of one request or message have the same number. */
  request: number;
  /** The provider's id of the billing message that caused the command. */
  message: string | undefined;
  /** The revision of the command's last event. */
  last: number;
}>;

/** The actor and the moment of a request; if a billing message caused the request, also the id of that message. */
type Occasion = Readonly<{ actor: Actor; at: Moment; message?: string }>;

/**
 * Decides commands by the real rules, without a log. Drops a command that is refused or changes nothing, so that the
 * random commands cause only events that the rules allow.
 */
export type Rehearsal = Readonly<{
  state: () => Organization;
  /** Returns whether the rules accepted at least one of the commands. */
  execute: (occasion: Occasion, ...commands: readonly OrganizationCommand[]) => boolean;
  accepted: readonly RehearsedCommand[];
}>;

export function rehearsal(catalogue: Catalogue): Rehearsal {
  const decider = organizationDecider(catalogue);
  const accepted: RehearsedCommand[] = [];
  let current: Folded<OrganizationDraft> = emptyStream(decider);
  let request = 0;

  const executeOne = (command: OrganizationCommand, { actor, at, message }: Occasion): boolean => {
    const context = { actor, at, message };
    const decision = decider.decide(command, current.state, context);
    if (isRefusal(decision) || decision.length === 0) return false;
    // A copy, because the fold may change the data of the events that it gets.
    const events = recorded(deepCopy(decision), context, current.revision + 1);
    current = fold(decider, events, current);
    accepted.push({ command, actor, at, request, message, last: current.revision });
    return true;
  };
  return {
    state: () => current.state,
    execute: (occasion, ...commands) => {
      request += 1;
      return commands.filter((command) => executeOne(command, occasion)).length > 0;
    },
    accepted,
  };
}
