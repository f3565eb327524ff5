import { type OrganizationCommand, saleInForce, SiteFeature } from '@charter/organization';
import { phaseOn } from './phases';
import type { Stage } from './stage';
import { plan, purchase, type PurchaseName } from './story';

/**
 * Executes the routine of a day: the renewal messages from billing, the reports of page views, and the small changes of
 * a working day.
 */
export function live(stage: Stage): void {
  const weekday = stage.day % 7;
  if (stage.day % 30 === 0) renew(stage);
  if (weekday === 0 || weekday === 3) reportTraffic(stage);
  if (weekday > 4) return;
  const { pace } = phaseOn(stage.day);
  for (let left = stage.random.between(0, pace); left > 0; left -= 1) stage.random.oneOf(changes)!(stage);
}

/**
 * Executes a billing message that repeats the paid plans and add-ons. The message arrives up to three days after the
 * paid period began.
 */
function renew({ state, byBilling, daysAgo, random }: Stage): void {
  const { plans, purchases } = state();
  const began = daysAgo(random.between(0, 3));
  const held = (['first', 'second'] as const).flatMap((line) => {
    const sale = saleInForce(plans[line]);
    return sale ? [plan(line, sale.what.plan, began)] : [];
  });
  const bought = Object.entries(purchases).flatMap(([id, entries]) => {
    const sale = saleInForce(entries);
    return sale ? [purchase(id.slice('si_Lakeside-'.length) as PurchaseName, sale.what.quantity, began)] : [];
  });
  byBilling(...held, ...bought);
}

function reportTraffic({ day, daysAgo, state, byKey, random }: Stage): void {
  const month = daysAgo(0).slice(0, 'YYYY-MM'.length);
  const views = (state().traffic[month] ?? 0) + random.between(1, 6) * phaseOn(day).views + random.between(0, 999);
  byKey('traffic', { type: 'ReportTraffic', data: { month, views } });
}

const memberOf = ({ state, random }: Stage, isWanted: (role: string, isProductUser: boolean) => boolean) =>
  random.oneOf(Object.entries(state().members).filter(([, { role, productUser }]) => isWanted(role, productUser)))?.[0];

/**
 * Adds or removes a member. Some former members come back. A program of the customer sends a part of these commands.
 */
function changeMembers(stage: Stage): void {
  const { state, random, ids, byMember, byKey, day } = stage;
  const execute = (command: OrganizationCommand) =>
    random.chance(0.3) ? byKey('directory', command) : byMember(command);
  const joins = random.chance(state().sizes.members < phaseOn(day).users ? 0.8 : 0.2);
  const leaver = memberOf(stage, (role) => role !== 'owner');
  if (joins) {
    const person = String(random.between(1, PEOPLE - 1));
    execute({
      type: 'AddMember',
      data: { member: ids.of('member', person), role: random.chance(0.2) ? 'admin' : 'member' },
    });
  } else if (leaver !== undefined) execute({ type: 'RemoveMember', data: { member: leaver } });
}

function changeRole(stage: Stage): void {
  const member = memberOf(stage, (role) => role !== 'owner');
  const role = stage.random.chance(0.4) ? 'admin' : 'member';
  if (member !== undefined) stage.byMember({ type: 'ChangeRole', data: { member, role } });
}

function flagProductUser(stage: Stage): void {
  const isFlagged = stage.random.chance(0.4);
  const member = memberOf(stage, (_, isProductUser) => isProductUser === isFlagged);
  if (member !== undefined)
    stage.byMember({ type: isFlagged ? 'UnflagProductUser' : 'FlagProductUser', data: { member } });
}

function changeSites({ state, random, ids, byMember, day }: Stage): void {
  const { sites, sizes } = state();
  const adds = random.chance(sizes.sites < phaseOn(day).sites ? 0.85 : 0.15);
  const leaving = random.oneOf(Object.keys(sites));
  if (adds) {
    const hostname = `${random.oneOf(words)}.lakeside.example`;
    byMember({ type: 'AddSite', data: { site: ids.of('site', hostname, String(day)), hostname } });
  } else if (leaving !== undefined && sizes.sites > 1) byMember({ type: 'RemoveSite', data: { site: leaving } });
}

function changeSiteFeatures({ state, random, byMember }: Stage): void {
  const site = random.oneOf(Object.keys(state().sites));
  const feature = random.oneOf(SiteFeature.options)!;
  const isOn = random.oneOf([true, false, null])!;
  if (site !== undefined) byMember({ type: 'ChangeSiteFeatures', data: { site, features: { [feature]: isOn } } });
}

function renameSite({ state, random, byMember }: Stage): void {
  const [site, { hostname = '' } = {}] = random.oneOf(Object.entries(state().sites)) ?? [];
  const name = random.oneOf([hostname, `${hostname} (new)`, `Campaign ${random.between(1, 40)}`])!;
  if (site !== undefined) byMember({ type: 'RenameSite', data: { site, name } });
}

function changeDomains({ state, random, ids, byMember, day }: Stage): void {
  const list = random.oneOf(['qualityAssurance', 'webAnalytics'] as const)!;
  const kind = list === 'qualityAssurance' ? 'QualityAssurance' : 'WebAnalytics';
  const adds = random.chance(state().sizes[list] < phaseOn(day).domains ? 0.8 : 0.2);
  const leaving = random.oneOf(Object.keys(state()[list]));
  if (adds) {
    const hostname = `${random.oneOf(words)}.${list === 'qualityAssurance' ? 'qa' : 'stats'}.lakeside.example`;
    byMember({ type: `Add${kind}Domain`, data: { domain: ids.of('domain', hostname, String(day)), hostname } });
  } else if (leaving !== undefined) byMember({ type: `Remove${kind}Domain`, data: { domain: leaving } });
}

/** The kinds of small changes. A kind with more entries in this list is chosen more often. */
const changes: readonly ((stage: Stage) => void)[] = [
  changeMembers,
  changeMembers,
  changeMembers,
  changeRole,
  flagProductUser,
  changeSites,
  changeSites,
  changeSiteFeatures,
  changeSiteFeatures,
  changeSiteFeatures,
  renameSite,
  changeDomains,
  changeDomains,
];

/** The members that `changeMembers` adds have numbers below this number. */
const PEOPLE = 60;

const words = [
  'shop',
  'www',
  'tents',
  'boots',
  'canoes',
  'rentals',
  'blog',
  'help',
  'events',
  'trails',
  'winter',
].concat([
  'summer',
  'outlet',
  'gifts',
  'careers',
  'press',
  'maps',
  'guides',
  'repairs',
  'club',
  'ice',
  'bikes',
  'sale',
]);
