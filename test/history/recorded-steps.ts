import type { Steps } from '@charter/client';
import { fold, type Folded, type Recorded } from '@charter/decider';
import type { OrganizationDraft, OrganizationEvent } from '@charter/organization';
import { organizationView, stepBase, stepper } from '@charter/organization-view';
import { foldedTo } from '../../libs/organization-view/src/folded.testing';
import { BLOCK_STEPS } from '../../web/src/console/moment/steps/block-size';

const id = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
const of = { id, product: 'pulse' };
const copied = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** The answer to a request for the steps after the revision `from`, made by the service's own code. */
export function stepsFrom(events: readonly Recorded<OrganizationEvent>[], from: number): Steps {
  let current: Folded<OrganizationDraft> = foldedTo(copied(events.slice(0, from + 1)));
  const to = Math.min(events.length - 1, from + BLOCK_STEPS);
  const base = stepBase(current, of);
  const stepOf = stepper(of);
  const steps = events
    .slice(from + 1, to + 1)
    .map((event) => copied(stepOf(event, current, () => (current = fold(organizationView, [copied(event)], current)))));
  return copied({ organization: id, from, to, base, steps }) as Steps;
}
/** The service's answers about an organization at a revision. */
export const answersAt = (events: readonly Recorded<OrganizationEvent>[], revision: number) => ({
  revision,
  ...copied(stepBase(foldedTo(copied(events.slice(0, revision + 1))), of)),
});
