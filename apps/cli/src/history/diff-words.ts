import { Resource, resources } from '@charter/organization';
import { namesIn, type StateLine } from '@charter/organization-view';

/** The subject of a line in a difference, for example `plan of line second` or `member 7d… product user`. */
export function pathText(path: string): string {
  const [section = '', ...keys] = namesIn(path);
  const things = thingsIn[section];
  if (things === undefined) return [section, ...keys].map(spokenName).join(' ');
  const [key = '', ...inside] = keys;
  return [things, key, ...inside.map(spokenName)].join(' ');
}

/** The sections of an organization's document that list entries by id or name, each with the noun for one entry. */
const thingsIn: Readonly<Record<string, string>> = {
  plans: 'plan of line',
  addOns: 'purchase',
  ...Object.fromEntries(Resource.options.map((resource) => [resources[resource].list, resources[resource].entry])),
  qualityAssurance: 'quality assurance domain',
  webAnalytics: 'web analytics domain',
  traffic: 'traffic of',
  limitsByHand: 'limit by hand of',
};

export const valueBeforeText = ({ before }: StateLine): string => spokenValue(before);
export const valueAfterText = ({ op, value }: StateLine): string => (op === 'remove' ? NOTHING : spokenValue(value));

/** Prints a value. Leaves out the terms of a sale, which `--json` prints. */
function spokenValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return NOTHING;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  const parts = Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    const spoken = name === 'terms' || name === 'grants' ? NOTHING : spokenValue(part);
    return spoken === NOTHING ? [] : [`${leads[name] ?? `${spokenName(name)} `}${spoken}`];
  });
  return parts.join(', ') || NOTHING;
}
const NOTHING = '-';

/**
 * The label before a value, if the label differs from the name of the value's field. An empty text means that the value
 * has no label.
 */
const leads: Readonly<Record<string, string>> = {
  ...{ plan: '', addOn: '', role: '', hostname: '', reason: '' },
  ...{ effectiveAt: 'in force from ', subscription: 'by subscription ' },
};

/** Returns, for example, `parallel use` for `parallelUse`. */
const spokenName = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
