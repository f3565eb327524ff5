import type { Folded, Immutable, Message, Moment, Recorded } from '@charter/decider';
import {
  type ChangedPart,
  changedPart,
  type Entitlements,
  entitlementsOf,
  isList,
  type List,
  type Organization,
  type OrganizationEvent,
} from '@charter/organization';
import { z } from 'zod';
import { ActorField, At, Revision } from '../answer-fields';
import { PatchLine, patchBetween } from '../differences/json-patch';
import { printedEntitlements } from '../printed-entitlements';
import { printedDocument } from '../public-document';
import { keyedDocument } from './keyed-document';
import { isWanted, type Part, type Printed } from './parts';
import { subjectOf } from './subject';

const anyFields = z.record(z.string(), z.unknown());

/**
 * The document and the entitlements at one revision, as Charter prints them. The lists of the document are objects with
 * ids as keys.
 */
export const StepBase = z.strictObject({ document: anyFields, entitlements: anyFields }).meta({ id: 'StepBase' });
export type StepBase = Immutable<z.infer<typeof StepBase>>;

/** An event, and the changes that it makes to the printed document and entitlements. */
export const Step = z
  .strictObject({
    revision: Revision,
    at: At,
    effectiveAt: At.exactOptional().meta({
      description: 'The moment at which the event takes effect; absent if the event names no such moment',
    }),
    type: z.string(),
    actor: ActorField,
    about: z
      .array(z.string())
      .meta({ description: 'The path of the entry or field that the event is about, in the keyed document' }),
    hash: z.string(),
    document: z.array(PatchLine),
    entitlements: z.array(PatchLine),
  })
  .meta({ id: 'Step' });
export type Step = Immutable<z.infer<typeof Step>>;

/** The organization whose steps Charter prints, and the wanted parts. Without `only`, Charter prints all parts. */
export type StepsOf = Readonly<{ id: string; product: string; only?: readonly Part[] | undefined }>;

/** The start of a sequence of steps: the answers that Charter prints for `?asOf=` with this revision. */
export function stepBase(current: Folded<Organization>, { id, product, only }: StepsOf): StepBase {
  const { document, entitlements } = printed(current, id, product, (list) => Object.keys(current.state[list]));
  const wanted = (of: Printed, fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => isWanted(`/${field}`, of, product, only)));
  return { document: wanted('document', document), entitlements: wanted('entitlements', entitlements) };
}

/** Makes the step of an event. `apply` folds the event, and may change the state `before`. */
type Stepper = (
  event: Recorded<OrganizationEvent>,
  before: Folded<Organization>,
  apply: () => Folded<Organization>,
) => Step;

/**
 * Makes the steps of successive events: the differences between the answers before and after each event. A client that
 * applies the steps to the base in order gets the answers of every later revision. A client that undoes the steps in
 * reverse order gets the base again. The state after an event is the state before the next event, so its entitlements
 * are computed only once.
 */
export function stepper({ id, product, only }: StepsOf): Stepper {
  let last: Readonly<{ revision: number; at: Moment; entitlements: Entitlements }> | undefined;

  return (event, before, apply) => {
    const part = changedPart(event);
    const known = last?.revision === before.revision && last.at === before.at ? last.entitlements : undefined;
    const previous = printed(before, id, product, idsIn(before.state, part), known);
    const after = apply();
    last = { revision: after.revision, at: after.at, entitlements: entitlementsOf(after.state, after.at) };
    const next = printed(after, id, product, idsIn(after.state, part), last.entitlements);
    const lines = (of: Printed) =>
      patchBetween(previous[of], next[of]).filter(
        ({ path }) => !fieldsOfEveryStep.has(path.slice(1)) && isWanted(path, of, product, only),
      );
    const { revision, type, metadata } = event;
    return {
      ...{ revision, at: metadata.at, ...effectiveAtOf(event), type },
      ...{ actor: metadata.actor, about: subjectOf(part), hash: metadata.hash },
      ...{ document: lines('document'), entitlements: lines('entitlements') },
    };
  };
}

/**
 * The fields that change at every event. A step itself has these fields, so the changes of the step leave these fields
 * out.
 */
export const fieldsOfEveryStep: ReadonlySet<string> = new Set(['revision', 'at']);

/** The keyed document and the entitlements, both at the moment of the last event. */
export const printed = (
  current: Folded<Organization>,
  id: string,
  product: string,
  idsOf: (list: List) => readonly string[],
  entitlements: Entitlements = entitlementsOf(current.state, current.at),
): Readonly<Record<Printed, object>> => ({
  document: keyedDocument(printedDocument(id, product, current, current.at, idsOf, entitlements)),
  entitlements: printedEntitlements(id, current, entitlements),
});

/**
 * The ids of the entries that an event can change. An event about an entry of a list changes no other entry. A plan or
 * the closing of the organization can change every site.
 */
export const idsIn =
  (state: Organization, [field, id]: ChangedPart) =>
  (list: List): readonly string[] => {
    if (!isList(field)) return list === 'sites' && changeSites.has(field) ? Object.keys(state[list]) : [];
    return list === field && id !== undefined && Object.hasOwn(state[field], id) ? [id] : [];
  };

/** The fields of the state that decide about the features and reports of sites, apart from the sites themselves. */
const changeSites: ReadonlySet<keyof Organization> = new Set(['plans', 'closed']);

export function effectiveAtOf({ data }: Message): { effectiveAt?: string } {
  const { effectiveAt } = data as { effectiveAt?: string };
  return effectiveAt === undefined ? {} : { effectiveAt };
}
