import { recordedEvent } from '@charter/event-log';
import type { OrganizationEvent } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { createBlocks } from '../../web/src/console/moment/steps/blocks';
import { answersAt, stepsFrom } from './recorded-steps';
import { organizationsOf, releases } from './golden';

const histories = releases.flatMap((release) =>
  [...Map.groupBy(organizationsOf(release), ({ stream }) => stream)].map(
    ([stream, stored]) =>
      [release, stream, stored.map((event) => recordedEvent<OrganizationEvent>(organizationView, event))] as const,
  ),
);

describe('The steps of a sealed history', () => {
  it.each(histories)('%s %s: lead to the answer at every revision, forwards and backwards', async (...[, , events]) => {
    const blocks = createBlocks((from) => Promise.resolve(stepsFrom(events, from)));
    const revisions = events.map((_, revision) => revision);
    for (const revision of [...revisions, ...revisions.toReversed()]) {
      await blocks.want(revision);
      expect(blocks.at(revision)).toStrictEqual(answersAt(events, revision));
    }
  });
});
