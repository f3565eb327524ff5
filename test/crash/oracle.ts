import type { EventLog, StoredEvent } from '@charter/event-log';
import { verifyChain } from '@charter/integrity';
import type { CommandLine } from '../cli/command-line';
import { type Operation, MEMBERS_MAX } from './callers';

/**
 * Checks oracle R (`acceptance.md` 2) for all commands that were ever sent. An acknowledged command is in the log
 * exactly once, at the revision of its answer. A refused command has no event. A command without an answer has all of
 * its events or none. No stream has a gap, every hash chain is valid, and no limit is exceeded.
 */
export async function expectWhole(charter: CommandLine, operations: readonly Operation[]): Promise<void> {
  await expectWholeIn(await charter.inside(({ log }) => allOf(log)), operations);
}

/** Makes the check of `expectWhole` for events that were already read. */
export async function expectWholeIn(events: readonly StoredEvent[], operations: readonly Operation[]): Promise<void> {
  const byFact = Map.groupBy(events, factOf);
  const lost = operations.filter((operation) => !isConsistent(operation, byFact));
  expect(
    lost.slice(0, 3).map((operation) => ({ ...operation, found: operation.facts.map((fact) => byFact.get(fact)) })),
  ).toEqual([]);

  const chains = [...Map.groupBy(events, ({ stream }) => stream).values()];
  const verdicts = await Promise.all(chains.map((chain) => verifyChain(chain)));
  expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
  expect(chains.map(mostMembersIn).filter((most) => most > MEMBERS_MAX)).toEqual([]);
}

/**
 * Checks that the read model equals a replay. With `complete`, first waits until the read model has processed every
 * event.
 */
export async function expectEqualReadModel(charter: CommandLine, complete?: 'complete'): Promise<void> {
  if (complete) while ((await charter.json('projections', 'status')).answer[0].lagEvents > 0);
  const { code, answer } = await charter.json('projections', 'verify');
  expect({ code, answer }).toMatchObject({ code: 0, answer: { ok: true, hash: answer.replayHash } });
  expect(answer.documents).toBeGreaterThan(0);
}

function isConsistent(
  { organization, facts, outcome, revision }: Operation,
  byFact: ReadonlyMap<string, readonly StoredEvent[]>,
) {
  const found = facts.map((fact) => byFact.get(fact) ?? []);
  const once = found.every(({ length }) => length === 1);
  const never = found.every(({ length }) => length === 0);
  if (outcome === 'refused') return never;
  if (outcome === 'unknown') return once || never;
  const last = found.at(-1)?.[0];
  const isHome = organization === 'new' || last?.stream === `organization-${organization}`;
  return outcome === 'acknowledged' && once && isHome && last?.revision === BigInt(revision!);
}

/** Every event of the log, in order. */
export async function allOf(log: EventLog): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of log.readAll()) events.push(event);
  return events;
}

/** The fact that an event records, in the form that a command's `facts` use. */
export const factOf = ({ type, data }: StoredEvent): string => {
  const { member, hostname, name } = data as { member?: string; hostname?: string; name?: string };
  return `${type} ${member ?? hostname ?? name ?? ''}`;
};

function mostMembersIn(events: readonly StoredEvent[]): number {
  let [members, most] = [0, 0];
  for (const { type } of events) {
    members += type === 'MemberAdded' ? 1 : type === 'MemberRemoved' ? -1 : 0;
    most = Math.max(most, members);
  }
  return most;
}
