import { fold, isRefusal, emptyStream, recorded, deepCopy } from '@charter/decider';
import fc from 'fast-check';
import { anyLife, decider, type Life, longLife, type Scene } from './testing/any-history.testing';
import { type OrganizationCommand, publicCommands, CommandInput } from './commands';
import { printBecause, type RefusalReason } from './decision';
import { each } from './each';
import { entitlementsOf, heldPlans, limitOf } from './entitlements';
import type { OrganizationEvent } from './events';
import { unicodeOf } from './hostname';
import { type Organization, type OrganizationDraft } from './state';
import { repetitionsOf } from './sales/runs';
import { entries, Feature, Resource, resourcesByHand, rowOf } from './terms';
import { momentAfter } from './testing/any-command.testing';
import { catalogue } from './testing/organization.testing';

describe('Random history of an organization', () => {
  it('never exceeds a limit when an entry is added', () => {
    forEvery((scene) => {
      for (const resource of addedIn(scene)) {
        const { used, effective } = limitOf(resource, scene.after, scene.context.at);
        expect(used).toBeLessThanOrEqual(effective);
      }
    });
  });

  it('adds entries that need a feature only while the feature is on', () => {
    forEvery((scene) => {
      for (const resource of addedIn(scene)) {
        const { gate } = limitOf(resource, scene.after, scene.context.at);
        if (gate) expect(gate.on).toBe(true);
      }
    });
  });

  it('gives each limit reasons whose amounts add up to the limit, and each reason names a matching event', () => {
    forEvery(({ after, context }, { events }) => {
      const { limits, override } = entitlementsOf(after, context.at);
      const unexplained = Resource.options.filter((resource) => {
        const { configured, hard, effective, overridden, because } = limits[resource];
        const ceilings = because.filter(({ kind }) => kind === 'hard-limit');
        const sums = because.filter(({ kind }) => kind !== 'hard-limit' && kind !== 'override');
        const isExplained =
          configured === totalOf(printBecause(sums)) &&
          hard === (ceilings.length > 0 ? totalOf(printBecause(ceilings)) : Infinity) &&
          effective === (override ? configured : Math.min(configured, hard)) &&
          overridden === override;
        const strangers = because.filter(({ kind, event, at }) => {
          const { type, metadata } = events[event]!;
          return metadata.at !== at || !eventsBehind[kind]!.includes(type);
        });
        return !isExplained || strangers.length > 0;
      });
      expect(unexplained).toEqual([]);
    });
  });

  it('has a reason with a matching event for each feature, on or off', () => {
    forEvery(({ after, context }, { events }) => {
      const { features } = entitlementsOf(after, context.at);
      const unexplained = Feature.options.filter((feature) => {
        const { on, because } = features[feature];
        const strangers = because.filter(({ kind, what, event, at }) => {
          const { type, data, metadata } = events[event]!;
          if (metadata.at !== at || !eventsBehind[kind]!.includes(type)) return true;
          if (type === 'PlanAssigned')
            return what !== `${data.line}/${data.plan}` || data.terms.features.includes(feature) !== on;
          return (kind === 'add-on' || (kind === 'service-level' && what !== 'none')) !== on;
        });
        return because.length === 0 || strangers.length > 0;
      });
      expect(unexplained).toEqual([]);
    });
  });

  it('gives the same state when it is folded at once or in parts, even if the state is serialized between the parts', () => {
    const property = fc.property(anyLife, fc.array(fc.nat({ max: 80 }), { maxLength: 6 }), ({ events }, cuts) => {
      const whole = fold(decider, events);
      const ends = [...cuts.filter((cut) => cut <= events.length), events.length].sort((a, b) => a - b);
      let pieces = emptyStream(decider);
      for (const [index, end] of ends.entries())
        pieces = fold(decider, events.slice(ends[index - 1] ?? 0, end), JSON.parse(JSON.stringify(pieces)) as never);
      expect(JSON.stringify(pieces)).toBe(JSON.stringify(whole));
      expect(notPlainIn(whole)).toEqual([]);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('gives a state that is plain JSON at every revision', () => {
    forEveryLife(({ scenes }) => {
      expect(scenes.flatMap(({ after }) => notPlainIn(after))).toEqual([]);
    });
  });

  it('gives the same decision when a command is decided again with the same input', () => {
    forEvery(({ command, before, context, events, refused }) => {
      const again = decider.decide(deepCopy(command), deepCopy(before), context);
      if (isRefusal<RefusalReason>(again)) expect(again.refused).toBe(refused);
      else expect(again).toEqual(events.map(({ type, data }) => ({ type, data })));
    });
  });

  it('records no event when the same command is executed again immediately', () => {
    forEvery(({ command, context, after, events }) => {
      if (events.length === 0) return;
      const again = decider.decide(command, after, context);
      if (isRefusal(again)) return;
      expect(again).toEqual([]);
    });
  });

  it('has the same plans, each with the same start, after billing has repeated the plans', () => {
    const property = fc.property(anyLife, ({ scenes }) => {
      const { after, context, revision } = scenes.at(-1)!;
      for (const { line, plan, terms } of heldPlans(after)) {
        const data = { line, plan, terms, effectiveAt: momentAfter(10_000) };
        const repeated = recorded([{ type: 'PlanAssigned', data } as const], context, revision + 1);
        const state = deepCopy(after) as OrganizationDraft;
        const twice = fold(decider, repeated, { state, revision, at: context.at });
        expect(heldPlans(twice.state)).toEqual(heldPlans(after));
        expect(repetitionsOf(twice.state).has(revision + 1)).toBe(true);
        expect(entitlementsOf(twice.state, context.at)).toEqual(entitlementsOf(after, context.at));
      }
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('records only documented fields, with values from the command, the state or the catalogue', () => {
    forEvery(({ command, before, events }) => {
      const input = JSON.stringify([command.data, before, catalogueOf(command)]);
      for (const { type, data } of events) {
        const [always, sometimes = []] = dictionary[type];
        const fields = Object.keys(data);
        const missing = always.filter((field) => !fields.includes(field));
        const unknown = fields.filter((field) => ![...always, ...sometimes].includes(field));
        const invented = Object.entries(data).filter(([field, value]) => {
          if (field === 'effectiveAt') return !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value));
          if (type === 'SiteAdded' && field === 'name') return ![data.name, unicodeOf(data.hostname)].includes(value);
          return !textsIn(value).every((text) => input.includes(JSON.stringify(text)));
        });
        expect([type, missing, unknown, invented]).toEqual([type, [], [], []]);
      }
    });
  });

  it('always has an owner after the first owner was added', () => {
    const hasOwner = (organization: Organization) =>
      Object.values(organization.members).some(({ role }) => role === 'owner');
    forEveryLife(({ scenes }) => {
      expect(scenes.filter(({ before, after }) => hasOwner(before) && !hasOwner(after))).toEqual([]);
    });
  });
});

describe('Generated histories', () => {
  let all: readonly Scene[];
  beforeAll(() => {
    all = scenesWithEachKind();
  });

  it('contain every event type', () => {
    expect(Object.keys(dictionary).filter((type) => !kindsIn(all).has(type))).toEqual([]);
  });

  it('contain a refused addition to each list whose limit a plan can set', () => {
    const resourceOf = new Map(
      all.flatMap((scene) => addedIn(scene).map((resource) => [scene.command.type, resource])),
    );
    const full = all.filter(({ refused }) => refused === 'limit-exceeded').map(({ command }) => command.type);
    expect(new Set(full.map((type) => resourceOf.get(type)))).toEqual(new Set(resourcesByHand));
  });

  it('contain every refusal reason', () => {
    expect(new Set(all.map(({ refused }) => refused).filter((refused) => refused !== null))).toEqual(new Set(reasons));
  });

  it('contain every public command, and only data that the schema of the commands accepts', () => {
    const inputs = all.map(({ command }) => command).filter(({ type }) => publicCommands.includes(type));
    const seen = new Set(inputs.map(({ type }) => type));
    expect(publicCommands.filter((type) => !seen.has(type))).toEqual([]);
    expect(inputs.map(({ type, data }) => CommandInput.parse({ type, data }))).toEqual(inputs);
  });
});

/** The types of the events and commands in scenes, and the reasons of the refusals. */
const kindsIn = (scenes: readonly Scene[]): ReadonlySet<string | null> =>
  new Set(scenes.flatMap(({ command, events, refused }) => [command.type, refused, ...events.map(({ type }) => type)]));

/**
 * Random histories; the function adds more of them until each kind has occurred. So the sample contains rare kinds,
 * even after a new command has changed the sample.
 */
function scenesWithEachKind(): readonly Scene[] {
  const wanted = [...Object.keys(dictionary), ...reasons, ...publicCommands];
  let scenes: readonly Scene[] = [];
  for (let seed = 24; seed < 34; seed += 1) {
    scenes = [...scenes, ...fc.sample(longLife, { numRuns: 400, seed }).flatMap((life) => life.scenes)];
    const seen = kindsIn(scenes);
    if (wanted.every((kind) => seen.has(kind))) break;
  }
  return scenes;
}

const forEvery = (holds: (scene: Scene, life: Life) => void): void =>
  forEveryLife((life) => life.scenes.forEach((scene) => holds(scene, life)));

/** `holds` should call `expect` once for all scenes of a history, because each call is slower than the rules. */
function forEveryLife(holds: (life: Life) => void): void {
  fc.assert(fc.property(anyLife, holds), { numRuns: 300 });
}

const totalOf = (terms: ReturnType<typeof printBecause>) =>
  terms.reduce((sum, term) => sum + (('amount' in term ? term.amount : undefined) ?? Infinity), 0);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap(textsIn)];
}

/** Values that JSON would drop or change: undefined, non-finite numbers, and objects that are not plain. */
function notPlainIn(value: unknown): unknown[] {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return [];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [value];
  if (typeof value !== 'object') return [value];
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object of another realm has another prototype.
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(prototype) === null;
  return [...(isPlain ? [] : [value]), ...Object.values(value).flatMap(notPlainIn)];
}

const catalogueOf = ({ type, data }: OrganizationCommand): unknown =>
  type === 'AssignPlan'
    ? catalogue.terms(data.line, data.plan)
    : type === 'PurchaseAddOn'
      ? catalogue.grants(data.addOn)
      : type === 'FoundOrganization'
        ? 'owner'
        : [];

/** The resources whose lists have more entries after the command. */
const addedIn = ({ before, after }: Scene): readonly Resource[] =>
  Resource.options.filter((resource) => {
    const { list } = rowOf(resource);
    return Object.keys(after[list]).length > Object.keys(before[list]).length;
  });

/** For each kind of reason, the types of the events that a reason of this kind can name. */
const eventsBehind: Readonly<Record<string, readonly OrganizationEvent['type'][]>> = {
  plan: ['PlanAssigned'],
  'hard-limit': ['PlanAssigned'],
  'add-on': ['AddOnPurchased'],
  'by-hand': ['LimitsConfigured'],
  always: ['OrganizationFounded'],
  none: ['OrganizationFounded', 'PlanEnded'],
  override: ['HardLimitsOverridden'],
  'not-in-plan': ['PlanAssigned'],
  'service-level': ['OrganizationFounded', 'ServiceLevelAssigned'],
  product: ['ProductDisabled'],
  closed: ['OrganizationClosed'],
};

/** The fields of each event (`decisions.md`, Events): first the required fields, then the optional ones. */
const dictionary: Readonly<Record<OrganizationEvent['type'], readonly [always: string[], sometimes?: string[]]>> = {
  OrganizationFounded: [['name']],
  OrganizationRenamed: [['name']],
  OrganizationClosed: [['reason']],
  OrganizationReopened: [['reason']],
  PlanAssigned: [['line', 'plan', 'terms', 'effectiveAt'], ['subscription']],
  PlanEnded: [
    ['line', 'effectiveAt'],
    ['plan', 'subscription'],
  ],
  AddOnPurchased: [['purchase', 'addOn', 'quantity', 'grants', 'effectiveAt'], ['subscription']],
  AddOnCancelled: [
    ['purchase', 'effectiveAt'],
    ['addOn', 'subscription'],
  ],
  ServiceLevelAssigned: [['serviceLevel']],
  ProductEnabled: [[]],
  ProductDisabled: [[]],
  ParallelUseChanged: [['parallelUse']],
  LimitsConfigured: [['limits']],
  HardLimitsOverridden: [['reason'], ['until']],
  HardLimitsRestored: [['reason']],
  MemberAdded: [['member', 'role']],
  MemberRoleChanged: [['member', 'role']],
  MemberRemoved: [['member']],
  ProductUserFlagged: [['member']],
  ProductUserUnflagged: [['member']],
  SiteAdded: [['site', 'hostname', 'name']],
  SiteRenamed: [['site', 'name']],
  SiteFeaturesChanged: [['site', 'features']],
  SiteRemoved: [['site']],
  QualityAssuranceDomainAdded: [['domain', 'hostname']],
  QualityAssuranceDomainRemoved: [['domain']],
  WebAnalyticsDomainAdded: [['domain', 'hostname']],
  WebAnalyticsDomainRemoved: [['domain']],
  BillingAccountLinked: [['provider', 'customer']],
  SingleSignOnConfigured: [['issuer', 'clientId']],
  SingleSignOnRemoved: [[]],
  EmailDomainClaimed: [['domain']],
  EmailDomainProven: [['domain']],
  EmailDomainLost: [['domain']],
  EmailDomainReleased: [['domain']],
  EmailDomainSettingsChanged: [['domain', 'automaticMembership', 'managed']],
  TrafficReported: [['month', 'views']],
};

/** All reasons for refusals. If a reason is missing here, this file does not compile. */
const reasons = Object.keys({
  'already-a-member': 0,
  'already-founded': 0,
  'feature-off': 0,
  'hostname-taken': 0,
  'id-taken': 0,
  'last-owner': 0,
  'limit-exceeded': 0,
  'month-not-begun': 0,
  'no-such-organization': 0,
  'no-such-purchase': 0,
  'no-such-sale': 0,
  ...each(
    entries.map((entry) => `no-such-${entry}` as const),
    () => 0,
  ),
  'not-allowed': 0,
  'not-proven': 0,
  'not-yet-effective': 0,
  'organization-closed': 0,
  'override-ended': 0,
  'purchase-cancelled': 0,
  'unknown-add-on': 0,
  'unknown-plan': 0,
} satisfies Record<RefusalReason, 0>);
