import { randomUUID } from 'node:crypto';
import type { OrganizationCommand } from '@charter/organization';
import fc from 'fast-check';
import { anyCommand } from '../../../libs/organization/src/testing/any-command.testing';
import { seed } from '../../projections/seed';
import { type Process, served, several } from '../../support/network/processes';
import type { Answer } from '../../support/requests/http';
import { founded, path } from '../../support/requests/organizations';
import { eventsOf } from '../../support/serving';
import { times } from '../length';

/** The routes `preview` and `commands` refuse these commands, because each has a route of its own. */
const ownRoute = new Set(['FoundOrganization', 'LinkBillingAccount', 'ConfigureSingleSignOn', 'RemoveSingleSignOn']);
const anyDraft = fc.array(
  anyCommand.filter(({ type }) => !ownRoute.has(type)),
  { minLength: 1, maxLength: 12 },
);

describe('U5: A random draft', () => {
  it('is committed through another process exactly as the preview showed it, or refused if any event came in between', async () => {
    const all = await several({ RATE_LIMITS: 'off' });
    try {
      const [one, two] = await Promise.all([all.start(), all.start()]);
      const key = await all.key();
      const id = await founded(served(all, one), { by: key });
      const post = (to: Process, route: string, body: object): Promise<Answer> =>
        to.ask('POST', path(id, route), { key, body });
      const recorded = async () => (await eventsOf(all, `organization-${id}`)).length;
      const counts = { committed: 0, refused: 0 };

      /** The commands that the service accepts together, and their digest; `undefined` if they record nothing. */
      const accepted = async (draft: readonly OrganizationCommand[]) => {
        const lenient = await post(one, '/preview?lenient=true', { commands: draft });
        const { refused, alsoRefused = [] } = lenient.body as Refusals;
        const out = new Set([refused, ...alsoRefused].map((refusal) => refusal?.index));
        const commands = draft.filter((_, index) => !out.has(index));
        if (commands.length === 0) return undefined;
        const { body } = await post(one, '/preview', { commands });
        return (body.events as unknown[]).length > 0 ? { commands, body } : undefined;
      };

      await fc.assert(
        fc.asyncProperty(anyDraft, fc.boolean(), async (draft, isDisturbed) => {
          const shown = await accepted(draft);
          if (!shown) return;
          const { commands, body } = shown;
          if (isDisturbed) {
            const rename = { type: 'RenameOrganization', data: { name: randomUUID() } };
            const changed = (await post(two, '/commands', { commands: [rename] })).status === 200;
            const before = await recorded();
            const answer = await post(two, '/commands', { commands, shown: body.shown as string });
            if (!changed) return; // a closed organization has refused the other event
            expect([answer.status, answer.body.type]).toEqual([409, '/problems/not-as-shown']);
            expect(await recorded()).toBe(before);
            counts.refused += 1;
          } else {
            const before = await recorded();
            const answer = await post(two, '/commands', { commands, shown: body.shown as string });
            expect(answer.status).toBe(200);
            expect(withoutMoments(answer)).toEqual(withoutMoments({ body } as Answer));
            expect(await recorded()).toBe(before + (body.events as unknown[]).length);
            counts.committed += 1;
          }
        }),
        { numRuns: times(40, 600), seed, endOnFailure: true },
      );
      process.stdout.write(`${counts.committed} drafts committed, ${counts.refused} refused\n`);
      expect(Math.min(counts.committed, counts.refused)).toBeGreaterThanOrEqual(times(10, 200));
    } finally {
      await all.end();
    }
  }, 900_000);
});

type Refusals = Readonly<{ refused?: { index: number }; alsoRefused?: readonly { index: number }[] }>;

/** The events of an answer. A moment that the commands have set themselves is `now` in a preview. */
const withoutMoments = ({ body }: Answer) =>
  (body.events as { type: string; data: { effectiveAt?: string } }[]).map(({ type, data }) => ({
    type,
    data: data.effectiveAt === undefined ? data : { ...data, effectiveAt: undefined },
  }));
