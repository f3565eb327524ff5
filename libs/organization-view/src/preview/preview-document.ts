import type { Folded, Immutable, Moment } from '@charter/decider';
import {
  changedPart,
  each,
  type Entitlements,
  entitlementsOf,
  Feature,
  finiteOrNull,
  type LimitState,
  type List,
  type Organization,
  type OrganizationEvent,
  printBecause,
  Resource,
} from '@charter/organization';
import { z } from 'zod';
import { Amount } from '../answer-fields';
import { PatchLine, patchBetween } from '../differences/json-patch';
import { reasonFields, Traffic, trafficOf } from '../printed-entitlements';
import { printedDocument } from '../public-document';
import { keyedDocument } from '../steps/keyed-document';
import { fieldsOfEveryStep, idsIn } from '../steps/step';

const PreviewReason = z
  .strictObject({
    ...reasonFields,
    event: reasonFields.event.exactOptional(),
    at: reasonFields.at.exactOptional(),
    command: z.int().min(0).exactOptional(),
  })
  .meta({
    id: 'PreviewReason',
    description:
      'One reason: `event` is the revision of a recorded event; `command` is the index of the command that would cause the reason',
  });
const because = z.array(PreviewReason);

const LimitTerms = z
  .strictObject({
    ...{ limit: Amount, configured: Amount, hard: Amount },
    ...{ used: z.int().min(0), over: z.int().min(0), because },
  })
  .meta({ id: 'LimitTerms' });
type LimitTerms = z.infer<typeof LimitTerms>;
const FeatureTerms = z.strictObject({ on: z.boolean(), because }).meta({ id: 'FeatureTerms' });

const beforeAndAfter = <Value extends z.ZodType>(value: Value) => z.strictObject({ before: value, after: value });

/** The changes that commands would make, as a preview prints them. */
export const previewFields = {
  limits: z
    .strictObject(each(Resource.options, () => beforeAndAfter(LimitTerms).exactOptional()))
    .meta({ description: 'The limits that the commands would change' }),
  features: z.strictObject({
    gained: z.array(Feature),
    lost: z.array(Feature),
    terms: z
      .strictObject(each(Feature.options, () => beforeAndAfter(FeatureTerms).exactOptional()))
      .meta({ description: 'For each gained or lost feature, why it is on or off before and after the commands' }),
  }),
  traffic: beforeAndAfter(z.strictObject({ ...Traffic.shape, because })),
  state: z
    .array(PatchLine)
    .meta({ description: 'The changes of the document, whose lists are objects with ids as keys' }),
};
export type PreviewDocument = Immutable<z.infer<z.ZodObject<typeof previewFields>>>;

/** The effect of commands on an organization, for a preview. */
export type CommandEffect = Readonly<{
  before: Folded<Organization>;
  after: Folded<Organization>;
  events: readonly OrganizationEvent[];
  /** For each event the index of its command. */
  origins: readonly number[];
}>;

/** Prints the effect of commands (`api.md`, Previews). @param at the moment of both the old and the new answers */
export function previewDocument(
  { id, product }: Readonly<{ id: string; product: string }>,
  { before, after, events, origins }: CommandEffect,
  at: Moment,
): PreviewDocument {
  const [old, next] = [entitlementsOf(before.state, at), entitlementsOf(after.state, at)];
  /** The reasons, with the index of a command instead of an event that is not recorded yet. */
  const reasons = (printed: ReturnType<typeof printBecause>) =>
    printed.map(({ event, at, ...reason }) =>
      event <= before.revision
        ? { ...reason, event, at }
        : { ...reason, command: origins[event - before.revision - 1]! },
    );
  const limit = ({ effective, configured, hard, used, because }: LimitState): LimitTerms => ({
    ...{ limit: finiteOrNull(effective), configured: finiteOrNull(configured), hard: finiteOrNull(hard) },
    ...{ used, over: Math.max(0, used - effective), because: reasons(printBecause(because)) },
  });
  const feature = (of: Entitlements, name: Feature) => {
    const { on, because } = of.features[name];
    return { on, because: reasons(printBecause(because)) };
  };
  const traffic = ({ state }: Folded<Organization>) => {
    const { because, ...figures } = trafficOf(state);
    return { ...figures, because: reasons(because) };
  };
  const document = (current: Folded<Organization>) =>
    keyedDocument(printedDocument(id, product, current, at, (list) => [...idsOf(current.state, events, list)]));
  const limits = Resource.options
    .filter((resource) => hasChanged(old.limits[resource], next.limits[resource]))
    .map((resource) => [resource, { before: limit(old.limits[resource]), after: limit(next.limits[resource]) }]);
  const [gained, lost] = [onlyIn(next, old), onlyIn(old, next)];
  return {
    limits: Object.fromEntries(limits) as PreviewDocument['limits'],
    features: {
      gained,
      lost,
      terms: Object.fromEntries(
        [...gained, ...lost].map((name) => [name, { before: feature(old, name), after: feature(next, name) }]),
      ),
    },
    traffic: { before: traffic(before), after: traffic(after) },
    state: patchBetween(document(before), document(after)).filter(({ path }) => !fieldsOfEveryStep.has(path.slice(1))),
  };
}

/** The ids of the entries that these events can change. */
const idsOf = (state: Organization, events: readonly OrganizationEvent[], list: List): ReadonlySet<string> =>
  new Set(events.flatMap((event) => idsIn(state, changedPart(event))(list)));

const hasChanged = (old: LimitState, next: LimitState): boolean =>
  (['effective', 'configured', 'hard', 'used'] as const).some((field) => old[field] !== next[field]);

const onlyIn = (these: Entitlements, those: Entitlements) =>
  Feature.options.filter((feature) => these.features[feature].on && !those.features[feature].on);
