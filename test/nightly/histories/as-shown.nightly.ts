import { randomUUID } from 'node:crypto';
import { type OrganizationCommand, organizationStream } from '@charter/organization';
import fc from 'fast-check';
import { commandRows } from '../../../libs/organization/src/commands';
import { anyCommand } from '../../../libs/organization/src/testing/any-command.testing';
import { seed } from '../../projections/seed';
import { type Process, type Several, served, several } from '../../support/network/processes';
import { otherCatalogue } from '../../support/other-catalogue';
import type { Answer } from '../../support/requests/http';
import { founded, path } from '../../support/requests/organizations';
import { inFormOfPreview, type PrintedEvent, type RecordedEvent } from '../../support/requests/printed-events';
import { person, signedIn } from '../../support/sign-in/people';
import { times } from '../length';

/** The routes `preview` and `commands` refuse the commands that have routes of their own. */
const anyDraft = fc.array(
  anyCommand.filter(({ type }) => commandRows[type].ownRouteOnly === undefined),
  { minLength: 1, maxLength: 12 },
);
/**
 * The disturbance between a preview and its commit, and whether the same process answers the preview and the commit.
 */
const anyCase = fc.record({
  draft: anyDraft,
  between: fc.oneof(
    { weight: 1, arbitrary: fc.constant('nothing' as const) },
    { weight: 2, arbitrary: fc.constant('event' as const) },
    { weight: 3, arbitrary: fc.constant('catalogue' as const) },
  ),
  isSameProcess: fc.boolean(),
});

describe('U5: A random draft', () => {
  it('is committed exactly as its preview shows, by the same or another process, or records nothing after a new event or a changed catalogue', async () => {
    const all = await several({ RATE_LIMITS: 'off' });
    try {
      const { counts, check } = await checked(all);
      const isEnough = () =>
        counts.committedBySame + counts.committedByOther >= DRAFTS &&
        counts.refusedAfterEvent + counts.refusedByCatalogue >= DRAFTS &&
        Object.values(counts).every((count) => count >= DRAFTS / 4);
      const checkUntilEnough = async (one: CaseOf<typeof anyCase>) => {
        if (!isEnough()) await check(one);
      };
      await fc.assert(fc.asyncProperty(anyCase, checkUntilEnough), { numRuns: RUNS_MAX, seed, endOnFailure: true });
      process.stdout.write(`${JSON.stringify(counts)}\n`);
      expect(isEnough()).toBe(true);
    } finally {
      await all.end();
    }
  }, 900_000);
});

/** The minimum number of drafts that are committed, and of drafts that are refused. */
const DRAFTS = times(200, 600);
const RUNS_MAX = 10 * DRAFTS;

/** Two processes sell the built-in catalogue, and a third process sells other terms of each plan and add-on. */
async function checked(all: Several) {
  const other = otherCatalogue(all.settings['CHARTER_DATA']!, ({ plans, addOns }) => {
    for (const plan of Object.values<{ trafficPerMonth: number }>(plans)) plan.trafficPerMonth += 1;
    for (const { grants } of Object.values<{ grants: { limits: Record<string, number> } }>(addOns))
      grants.limits['contentSections'] = 7;
  });
  const [one, two, third] = await Promise.all([all.start(), all.start(), all.start(other)]);
  const id = await founded(served(all, one), { by: await all.key() });
  // Only a signed-in operator may name terms in a command.
  const operator = await person(all, { role: 'operator' });
  const browsers = new Map(
    await Promise.all([one, two, third].map(async (process) => [process, await signedIn(process, operator)] as const)),
  );
  const counts = {
    ...{ committedBySame: 0, committedByOther: 0, refusedAfterEvent: 0, refusedByCatalogue: 0 },
    committedOnNamedTerms: 0,
  };

  const post = (to: Process, route: string, body: object, once: string = randomUUID()): Promise<Answer> =>
    browsers.get(to)!.send('POST', path(id, route), body, { headers: { 'Idempotency-Key': once } });
  /** The events of the log after this revision. */
  const recordedAfter = async (revision: number) => {
    const events: RecordedEvent[] = [];
    const from = BigInt(revision + 1);
    for await (const event of all.charter.log.readStream(organizationStream(id), { from }))
      events.push(event as typeof event & RecordedEvent);
    return events;
  };

  /**
   * The commands of the draft that the service accepts together, and their preview; `undefined` if they would record
   * no event.
   */
  const accepted = async (draft: readonly OrganizationCommand[], once: string) => {
    const lenient = await post(one, '/preview?lenient=true', { commands: draft });
    const { refused, alsoRefused = [] } = lenient.body as Refusals;
    const out = new Set([refused, ...alsoRefused].map((refusal) => refusal?.index));
    const commands = draft.filter((_, index) => !out.has(index));
    if (commands.length === 0) return undefined;
    const preview = await post(one, '/preview', { commands }, once);
    expect(preview.status).toBe(200);
    return eventsOf(preview).length > 0 ? { commands, preview } : undefined;
  };

  const check = async ({ draft, between, isSameProcess }: CaseOf<typeof anyCase>) => {
    const once = randomUUID();
    const shown = await accepted(draft, once);
    if (!shown) return;
    const { commands, preview } = shown;
    const printed = eventsOf(preview);
    const { revision } = preview.body as { revision: number };
    let by = isSameProcess ? one : two;
    let isAsShown = true;
    if (between === 'event') {
      const rename = { type: 'RenameOrganization', data: { name: randomUUID() } };
      isAsShown = (await post(isSameProcess ? two : one, '/commands', { commands: [rename] })).status !== 200;
    } else if (between === 'catalogue') {
      by = third;
      const now = await post(third, '/preview', { commands }, once);
      isAsShown = JSON.stringify(eventsOf(now)) === JSON.stringify(printed);
    }
    const before = await recordedAfter(revision);
    const answer = await post(by, '/commands', { commands, shown: preview.body.shown as string }, once);
    const after = await recordedAfter(revision);
    if (isAsShown) {
      expect(answer.status).toBe(200);
      expect(before).toEqual([]);
      expect(inFormOfPreview(after, printed)).toEqual(printed);
      counts[by === one ? 'committedBySame' : 'committedByOther'] += 1;
      if (commands.some(namesTerms)) counts.committedOnNamedTerms += 1;
    } else {
      expect([answer.status, answer.body.type]).toEqual([409, '/problems/not-as-shown']);
      expect(after).toEqual(before);
      counts[between === 'event' ? 'refusedAfterEvent' : 'refusedByCatalogue'] += 1;
    }
  };
  return { counts, check };
}

type CaseOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Case> ? Case : never;
type Refusals = Readonly<{ refused?: { index: number }; alsoRefused?: readonly { index: number }[] }>;

/** Whether a command contains terms or grants of its own instead of those of the catalogue. */
const namesTerms = ({ data }: OrganizationCommand) =>
  ('terms' in data && typeof data.terms === 'object') || ('grants' in data && data.grants !== undefined);

/** The events that an answer prints. */
const eventsOf = ({ body }: Answer): readonly PrintedEvent[] =>
  ((body.events ?? []) as PrintedEvent[]).map(({ type, data }) => ({ type, data }));
