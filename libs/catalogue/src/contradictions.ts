import { type CatalogueFile, namedPlans, type PlanEntry, resourceNames } from './file';

/** A problem in the file, and the keys on the path to the problem. */
export interface Finding {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Problems that the schema cannot find, because they concern several fields or entries. */
export const contradictions = (file: CatalogueFile): Finding[] => [
  ...namedPlans.filter((plan) => !Object.hasOwn(file.plans, plan)).map((plan) => at('is missing', 'plans', plan)),
  ...Object.entries(file.plans).flatMap(([plan, entry]) => inPlan(entry).map((found) => within(found, 'plans', plan))),
  ...misplacedMatomo(file),
  ...repeatedProviderIds(file),
];

function inPlan(plan: PlanEntry): Finding[] {
  const found = resourceNames.flatMap((resource) => {
    const limit = plan.limits[resource] ?? 0;
    const hard = plan.hardLimits[resource];
    const soldOnlyByAddOn = plan.soldOnlyByAddOn.includes(resource);
    return [
      ...(hard === 0 ? [at('is 0, and so limits nothing: leave it out', 'hardLimits', resource)] : []),
      ...(hard && limit === 0 && !soldOnlyByAddOn
        ? [at('limits nothing, because the plan has no limit here: leave it out', 'hardLimits', resource)]
        : []),
      ...(hard && hard < limit ? [at(`is below the plan's own limit, ${limit}`, 'hardLimits', resource)] : []),
      ...(soldOnlyByAddOn && limit > 0
        ? [at('must be 0, because only add-ons sell this resource', 'limits', resource)]
        : []),
    ];
  });
  const multiSite = plan.features.indexOf('multiSite');
  return multiSite < 0 ? found : [...found, at('belongs in organizationDefaults', 'features', multiSite)];
}

/** Finds `matomoIntegration` outside of the plan teams, because only this plan may include it (`decisions.md` 13). */
function misplacedMatomo({ plans, addOns }: CatalogueFile): Finding[] {
  const granting = [
    ...Object.entries(plans).map(([plan, { features }]) => ({ path: ['plans', plan, 'features'], features })),
    ...Object.entries(addOns).map(([addOn, { grants }]) => ({
      path: ['addOns', addOn, 'grants', 'features'],
      features: grants.features,
    })),
  ];
  return granting
    .filter(({ path, features }) => path[1] !== 'second/teams' && features.includes('matomoIntegration'))
    .map(({ path, features }) => at('belongs to second/teams only', ...path, features.indexOf('matomoIntegration')));
}

/** Finds provider ids of more than one product, because Charter must know which product a customer bought. */
function repeatedProviderIds({ plans, addOns }: CatalogueFile): Finding[] {
  const entries = [
    ...Object.entries(plans).map(([name, entry]) => ({ kind: 'plans', name, ids: idsOf(entry) })),
    ...Object.entries(addOns).map(([name, entry]) => ({ kind: 'addOns', name, ids: idsOf(entry) })),
  ];
  const seen = new Map<string, string>();
  return entries.flatMap(({ kind, name, ids }) =>
    ids.flatMap(({ id, path }) => {
      const first = seen.get(id);
      seen.set(id, first ?? name);
      return first === undefined ? [] : [at(`"${id}" is sold twice: it names ${first} already`, kind, name, ...path)];
    }),
  );
}

const idsOf = (entry: { providerId?: string | undefined; linkedProductIds: string[] }) => [
  ...(entry.providerId === undefined ? [] : [{ id: entry.providerId, path: ['providerId'] }]),
  ...entry.linkedProductIds.map((id, index) => ({ id, path: ['linkedProductIds', index] })),
];

const at = (message: string, ...path: (string | number)[]): Finding => ({ path, message });
const within = ({ path, message }: Finding, ...outer: string[]): Finding => ({ path: [...outer, ...path], message });
