import { decideEach, fold, type Folded, recorded, type Recorded, deepCopy } from '@charter/decider';
import {
  resourceOfList,
  heldPlans,
  listCommands,
  type Organization,
  type OrganizationCommand,
  type OrganizationDraft,
  type OrganizationEvent,
  ProductLine,
  purchasesInForce,
  rowOf,
  setters,
} from '@charter/organization';
import fc from 'fast-check';
import { momentAfter } from '../../../organization/src/testing/any-command.testing';
import { anyLife, decider } from '../../../organization/src/testing/any-history.testing';
import { overriddenUntil } from '../../../organization/src/testing/entitled.testing';
import {
  ada,
  added,
  billing,
  bob,
  bought,
  closed,
  cyd,
  ended,
  founded,
  now,
  on,
  operator,
  shop,
  siteAdded,
} from '../../../organization/src/testing/organization.testing';
import { pointerOf } from '../differences/json-pointer';
import { foldedTo, recordedAt } from '../folded.testing';
import { listPath } from '../steps/keyed-document';
import { organizationView } from '../view';
import { collectChangesToUndo, type UndoRange } from './changes-to-undo';
import { inAcceptedOrder, undoCommands } from './undo-commands';
import { undoPath } from './undo-parts';
import { salesOf, termsCounted, valuesOf } from './values-of.testing';

type Events = readonly Recorded<OrganizationEvent>[];
type Wanted = Omit<UndoRange, 'last'> & Readonly<{ last?: number }>;

const monday = '2026-11-02T09:00:00.000Z';
const history = (...events: readonly OrganizationEvent[]): Events => recordedAt(events.map((event) => [monday, event]));
const newId = (purchase: string) => `new-${purchase}`;

/** Undoes events of a history, and executes the commands as an operator. */
function undone(events: Events, wanted: Wanted, erased: readonly string[] = []) {
  let current: Folded<OrganizationDraft> = foldedTo([]);
  const { take, result } = collectChangesToUndo({ last: events.length - 1, ...wanted }, 'pulse');
  for (const event of deepCopy(events))
    take(event, current.state, () => (current = fold(organizationView, [event], current)).state);
  const present: Folded<Organization> = deepCopy(current);
  const { changes, later } = result();
  const at = new Date(Date.parse(present.at) + 60_000).toISOString();
  const context = { at, reason: 'undo of #1', erased: new Set(erased), newPurchase: newId };
  const undo = undoCommands(changes, present.state, 'pulse', context);
  const executed = (commands: readonly OrganizationCommand[]) =>
    decideEach(decider, commands, present, { actor: operator, at }, { isLenient: true });
  const commands = inAcceptedOrder(undo.commands, (list) => executed(list).refused.map(({ index }) => index));
  const { after, refused, events: made } = executed(commands);
  const eventsAfter: Events = [...events, ...recorded(made, { actor: operator, at }, events.length)];
  return { ...undo, commands, later, present: present.state, after, refused, eventsAfter };
}

/** Undoes the same events, executes the commands, and repeats both. */
function undoneTimes(times: number, events: Events, { first, last }: Wanted) {
  const range = last === undefined ? { first } : { first, last };
  const undos = [undone(events, range)];
  while (undos.length < times) undos.push(undone(undos.at(-1)!.eventsAfter, range));
  return undos;
}

/** The path of the part that a command changes. */
function pathOf({ type, data }: OrganizationCommand): string {
  const ofList = listCommands.find(({ add, remove }) => type === add || type === remove);
  if (ofList) {
    const { entry } = rowOf(resourceOfList(ofList.list));
    return pointerOf([...listPath(ofList.list), (data as Record<string, string>)[entry]!]);
  }
  const setter = setters.find((one) => one.type === type);
  if (setter) return pointerOf(undoPath([setter.sets], [], 'pulse'));
  const { member, site, line, purchase } = data as Record<string, string>;
  if (member) return `/members/${member}`;
  if (site) return `/sites/${site}`;
  if (line) return `/plans/${line}`;
  if (purchase) return pointerOf(['addOns', purchase.replace(/^new-/, '')]);
  const others: Record<string, string> = {
    AssignServiceLevel: '/serviceLevel',
    EnableProduct: '/pulse',
    DisableProduct: '/pulse',
  };
  return others[type] ?? (type.includes('Limit') ? '/limits' : '/closed');
}

/** The paths that the answer to an undo names, and the paths of the parts that refused commands would change. */
function namedPaths({ leaves, later, commands, refused }: ReturnType<typeof undone>): readonly string[] {
  return [
    ...leaves.map(({ path }) => path),
    ...later.map(({ path }) => path),
    ...refused.map(({ index }) => pathOf(commands[index]!)),
  ];
}
const isNamed = (path: string, named: readonly string[]) =>
  named.some((name) => path === name || path.startsWith(`${name}/`) || name.startsWith(`${path}/`));

const stateAt = (events: Events, revision: number): Organization =>
  foldedTo(deepCopy(events.slice(0, revision + 1))).state;
const text = (value: unknown) => JSON.stringify(value ?? null);

const anyUndo = anyLife
  .filter(({ events }) => events.length > 1)
  .chain(({ events }) =>
    fc.record({
      events: fc.constant(events),
      first: fc.integer({ min: 1, max: events.length - 1 }),
      count: fc.constantFrom(1, 1, 1, 2, 5),
      erased: fc.subarray([ada, bob, cyd]),
    }),
  );

describe('Undo of random events', () => {
  it('restores each changed value, except the values that the answer names, and changes no other value', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(anyUndo, ({ events, first, count, erased }) => {
        const last = Math.min(events.length - 1, first + count - 1);
        const undo = undone(events, { first, last }, erased);
        for (const { type, data } of undo.commands) {
          kinds.add(type);
          if (type === 'AddMember') expect(erased).not.toContain(data.member);
        }
        const [before, then, present, after] = [
          valuesOf(stateAt(events, first - 1)),
          valuesOf(stateAt(events, last)),
          valuesOf(undo.present),
          valuesOf(undo.after),
        ];
        const named = namedPaths(undo);
        for (const path of new Set([...before.keys(), ...then.keys(), ...present.keys(), ...after.keys()])) {
          if (isNamed(path, named) || path.startsWith('/addOns/new-')) continue;
          const isUndone = text(before.get(path)) !== text(then.get(path));
          expect([path, after.get(path)]).toEqual([path, (isUndone ? before : present).get(path)]);
        }
        for (const line of ProductLine.options) {
          const path = `/plans/${line}`;
          if (isNamed(path, named)) continue;
          const isUndone = text(before.get(path)) !== text(then.get(path));
          const expected = isUndone ? stateAt(events, first - 1) : undo.present;
          expect([path, salesOf(undo.after, line)]).toEqual([path, salesOf(expected, line)]);
        }
      }),
      { numRuns: 400 },
    );
    expect(kinds.size).toBeGreaterThan(15);
  });

  it('back to a revision restores each value, except the values that the answer names; the answer names each replaced purchase', () => {
    fc.assert(
      fc.property(anyUndo, ({ events, first, erased }) => {
        const undo = undone(events, { first }, erased);
        expect(undo.later).toEqual([]);
        fc.pre(undo.more === 0);
        const target = stateAt(events, first - 1);
        const [before, after] = [valuesOf(target), valuesOf(undo.after)];
        const named = namedPaths(undo);
        for (const path of new Set([...before.keys(), ...after.keys()])) {
          if (path.startsWith('/addOns/new-')) expect(after.get(path)).toEqual(before.get(path.replace('/new-', '/')));
          else if (!isNamed(path, named)) expect([path, after.get(path)]).toEqual([path, before.get(path)]);
        }
        if (!undo.leaves.some(({ why }) => why === 'limits-go-on') && !named.some((path) => path.startsWith('/plans')))
          expect(termsCounted(undo.after)).toEqual(termsCounted(target));
      }),
      { numRuns: 300 },
    );
  });
});

describe('Repeated undo of random events', () => {
  it('back to a revision has no further commands, unless Charter has refused a command', () => {
    let repeated = 0;
    fc.assert(
      fc.property(anyUndo, ({ events, first }) => {
        const [undo, again] = undoneTimes(2, events, { first });
        fc.pre(undo!.more === 0 && undo!.refused.length === 0);
        repeated += 1;
        expect(again!.commands).toEqual([]);
      }),
      { numRuns: 100 },
    );
    expect(repeated).toBeGreaterThan(50);
  });
});

const team = [founded, on('second/teams'), added(ada, 'owner'), added(bob), siteAdded(shop, 'shop.test')];
const changedTo = (member: string, role: 'owner' | 'admin' | 'member') =>
  ({ type: 'MemberRoleChanged', data: { member, role } }) as const;
const removed = (member: string) => ({ type: 'MemberRemoved', data: { member } }) as const;

const cancelled = (purchase: string, effectiveAt = monday) =>
  ({ type: 'AddOnCancelled', data: { purchase, effectiveAt } }) as const;
const inForce = (organization: Organization) =>
  purchasesInForce(organization).map(({ purchase, quantity }) => [purchase, quantity]);
const context = { actor: operator, at: momentAfter(500) };

const plansIn = (events: Events) => heldPlans(stateAt(events, events.length - 1)).map(({ plan }) => plan);
/** The plans that are in force after an undo, and after the later end of a subscription. */
function plansAfterEnd(subscription: string, { eventsAfter }: ReturnType<typeof undone>) {
  const at = momentAfter(1_000);
  const end = ended('second', at, subscription);
  return plansIn([...eventsAfter, ...recorded([end], { ...billing('m-1'), at }, eventsAfter.length)]);
}

describe('Undo', () => {
  it('removes an added entry, and adds a removed entry with the same id and fields', () => {
    expect(undone(history(...team), { first: 3, last: 3 }).commands).toEqual([
      { type: 'RemoveMember', data: { member: bob } },
    ]);
    const flagged = { type: 'ProductUserFlagged', data: { member: bob } } as const;
    expect(undone(history(...team, flagged, removed(bob)), { first: 6, last: 6 })).toMatchObject({
      commands: [
        { type: 'AddMember', data: { member: bob, role: 'member' } },
        { type: 'FlagProductUser', data: { member: bob } },
      ],
      ...{ leaves: [], later: [], refused: [] },
    });
    const features = { logo: false, reports: true };
    const changed = { type: 'SiteFeaturesChanged', data: { site: shop, features } } as const;
    const gone = { type: 'SiteRemoved', data: { site: shop } } as const;
    expect(undone(history(...team, changed, gone), { first: 6, last: 6 }).commands).toEqual([
      { type: 'AddSite', data: { site: shop, hostname: 'shop.test', name: 'shop.test' } },
      { type: 'ChangeSiteFeatures', data: { site: shop, features } },
    ]);
  });

  it("adds a site again without the name that today's rules refuse, and reports the name", () => {
    const long = 'n'.repeat(201);
    const added = { type: 'SiteAdded', data: { site: shop, hostname: 'shop.test', name: long } } as const;
    const gone = { type: 'SiteRemoved', data: { site: shop } } as const;
    const other = { type: 'SiteAdded', data: { site: shop, hostname: 'b.test', name: 'b.test' } } as const;
    const again = { type: 'AddSite', data: { site: shop, hostname: 'shop.test' } };
    const leaves = [{ path: `/sites/${shop}`, why: 'no-command' }];
    expect(undone(history(founded, added, gone), { first: 2, last: 2 })).toMatchObject({ commands: [again], leaves });
    expect(undone(history(founded, added, gone, other), { first: 2, last: 3 })).toMatchObject({
      commands: [{ type: 'RemoveSite', data: { site: shop } }, again],
      leaves,
    });
  });

  it("keeps the site that replaced a site whose hostname today's rules refuse", () => {
    const added = { type: 'SiteAdded', data: { site: shop, hostname: 'no host', name: 'Shop' } } as const;
    const gone = { type: 'SiteRemoved', data: { site: shop } } as const;
    const other = { type: 'SiteAdded', data: { site: shop, hostname: 'b.test', name: 'b.test' } } as const;
    expect(undone(history(founded, added, gone, other), { first: 2, last: 3 })).toMatchObject({
      ...{ commands: [], leaves: [{ path: `/sites/${shop}`, why: 'no-command' }] },
    });
  });

  it("reports that it cannot restore a domain whose hostname today's rules refuse, and keeps the domain that replaced it", () => {
    const added = (hostname: string) =>
      ({ type: 'QualityAssuranceDomainAdded', data: { domain: shop, hostname } }) as const;
    const gone = { type: 'QualityAssuranceDomainRemoved', data: { domain: shop } } as const;
    expect(undone(history(founded, added('no host'), gone, added('qa.test')), { first: 2, last: 3 })).toMatchObject({
      ...{ commands: [], leaves: [{ path: `/qualityAssurance/domains/${shop}`, why: 'no-command' }] },
    });
    expect(undone(history(founded, added('a.test'), gone, added('qa.test')), { first: 2, last: 3 }).commands).toEqual([
      { type: 'RemoveQualityAssuranceDomain', data: { domain: shop } },
      { type: 'AddQualityAssuranceDomain', data: { domain: shop, hostname: 'a.test' } },
    ]);
  });

  it('does not change a value that a later event has changed, and names the newest event about the value', () => {
    const events = history(...team, changedTo(bob, 'admin'), changedTo(bob, 'owner'), changedTo(bob, 'admin'));
    expect(undone(events, { first: 5, last: 5 })).toMatchObject({
      ...{ commands: [], leaves: [] },
      later: [{ path: `/members/${bob}/role`, revision: 7, type: 'MemberRoleChanged' }],
    });
  });

  it('removes an added entry even if a later event has changed a field of this entry, and names the later event', () => {
    expect(undone(history(...team, changedTo(bob, 'admin')), { first: 3, last: 3 })).toMatchObject({
      commands: [{ type: 'RemoveMember', data: { member: bob } }],
      later: [{ path: `/members/${bob}/role`, revision: 5 }],
    });
  });

  it('does not make an erased person a member again', () => {
    expect(undone(history(...team, removed(bob)), { first: 5, last: 5 }, [bob])).toMatchObject({
      ...{ commands: [], leaves: [{ path: `/members/${bob}`, why: 'erased' }] },
    });
  });

  it('assigns the previous plan with the terms of its sale, and with its subscription, after it has ended the undone plan', () => {
    const events = history(founded, on('second/solo', monday, 's-1'), on('second/teams', monday, 's-2'));
    const undo = undone(events, { first: 2, last: 2 });
    expect(undo).toMatchObject({
      commands: [
        { type: 'EndPlan', data: { line: 'second', subscription: 's-2' } },
        { type: 'AssignPlan', data: { line: 'second', plan: 'solo', terms: { termsOf: 1 }, subscription: 's-1' } },
      ],
      ...{ leaves: [], refused: [] },
    });
    expect(plansAfterEnd('s-1', undo)).toEqual([]);
  });

  it('does not bring back a plan that an operator assigned by mistake when the subscription of the earlier plan ends', () => {
    const events = history(founded, on('second/solo', monday, 's-1'), on('second/teams', monday));
    const undo = undone(events, { first: 2, last: 2 });
    expect(undo).toMatchObject({
      commands: [
        { type: 'EndPlan', data: { line: 'second' } },
        { type: 'AssignPlan', data: { line: 'second', plan: 'solo', terms: { termsOf: 1 }, subscription: 's-1' } },
      ],
      ...{ leaves: [], later: [], refused: [] },
    });
    expect(plansIn(undo.eventsAfter)).toEqual(['solo']);
    expect(plansAfterEnd('s-1', undo)).toEqual([]);
  });

  it('does not end a plan that another subscription held before the undone end', () => {
    const both = [on('second/solo', monday, 's-1'), on('second/teams', monday, 's-2')];
    const undo = undone(history(founded, ...both, ended('second', monday, 's-2')), { first: 3, last: 3 });
    expect(undo).toMatchObject({ commands: [{ type: 'AssignPlan', data: { plan: 'teams' } }], leaves: [] });
    expect(plansAfterEnd('s-2', undo)).toEqual(['solo']);
  });

  it('also ends a plan of the range that was not in force when it was assigned', () => {
    const hidden = on('second/solo', now, 's-2');
    const events = history(founded, on('second/teams', monday, 's-1'), hidden, on('second/solo', monday));
    const undo = undone(events, { first: 2 });
    expect(plansIn(undo.eventsAfter)).toEqual(['teams']);
    expect(plansAfterEnd('s-1', undo)).toEqual([]);
  });

  it('also assigns the plans that come into force when the subscription of the restored plan ends', () => {
    const before = [on('second/teams', now), on('second/solo', monday, 's-1')];
    const undo = undone(history(founded, ...before, ended('second', monday)), { first: 3, last: 3 });
    expect(undo).toMatchObject({
      commands: [
        { type: 'AssignPlan', data: { plan: 'teams', terms: { termsOf: 1 } } },
        { type: 'AssignPlan', data: { plan: 'solo', terms: { termsOf: 2 }, subscription: 's-1' } },
      ],
      ...{ leaves: [], refused: [] },
    });
    expect(plansAfterEnd('s-1', undo)).toEqual(['teams']);
  });

  it('assigns the same plan to two subscriptions', () => {
    const before = [on('second/solo', now, 's-1'), on('second/solo', monday, 's-2')];
    const { commands, leaves } = undone(history(founded, ...before, ended('second', monday)), { first: 3, last: 3 });
    expect(leaves).toEqual([]);
    expect(commands).toMatchObject(
      ['s-1', 's-2'].map((subscription) => ({ type: 'AssignPlan', data: { plan: 'solo', subscription } })),
    );
  });

  it('reports that it cannot assign a plan without a subscription while a subscription holds the same plan', () => {
    const before = [on('second/solo', now, 's-1'), on('second/solo', monday)];
    expect(undone(history(founded, ...before, ended('second', monday)), { first: 3, last: 3 })).toMatchObject({
      leaves: [{ path: '/plans/second', why: 'no-command' }],
    });
  });

  it('reports that it cannot assign plans to more subscriptions than one request has commands', () => {
    const before = Array.from({ length: 21 }, (_, index) =>
      on(index % 2 === 0 ? 'second/solo' : 'second/teams', monday, `s-${index + 10}`),
    );
    expect(undone(history(founded, ...before, ended('second', monday)), { first: 22, last: 22 })).toMatchObject({
      ...{ commands: [], leaves: [{ path: '/plans/second', why: 'no-command' }] },
    });
  });

  it('keeps the plan if the subscription of the earlier plan has ended since, and names this end', () => {
    const events = [on('second/solo', monday, 's-1'), on('second/teams', monday), ended('second', monday, 's-1')];
    expect(undone(history(founded, ...events), { first: 2, last: 2 })).toMatchObject({
      ...{ commands: [], leaves: [] },
      later: [{ path: '/plans/second', revision: 3, type: 'PlanEnded' }],
    });
  });

  it('ends the undone plan of a product line directly before it assigns the earlier plan of this line', () => {
    const before = [on('first/essential', monday, 's-1'), on('second/solo', monday, 's-2')];
    const moved = [on('first/professional', monday), on('second/teams', monday)];
    expect(undone(history(founded, ...before, ...moved), { first: 3 }).commands).toMatchObject([
      { type: 'EndPlan', data: { line: 'first' } },
      { type: 'AssignPlan', data: { line: 'first', plan: 'essential' } },
      { type: 'EndPlan', data: { line: 'second' } },
      { type: 'AssignPlan', data: { line: 'second', plan: 'solo' } },
    ]);
  });

  it('ends a plan if the product line had no plan before, and reports that the limits stay if the other line has no plan', () => {
    expect(undone(history(founded, on('second/solo')), { first: 1, last: 1 })).toMatchObject({
      commands: [{ type: 'EndPlan', data: { line: 'second' } }],
      leaves: [{ path: '/plans/second', why: 'limits-go-on' }],
    });
    const withOther = history(founded, on('first/essential'), on('second/solo'));
    expect(undone(withOther, { first: 2, last: 2 })).toMatchObject({ leaves: [] });
  });

  it('reports that the limits of the plan that it ends stay, if the plan of the other line had ended last', () => {
    const [may, june, july] = ['2026-05-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z', '2026-07-01T00:00:00.000Z'];
    const both = [on('first/essential', may), on('second/solo', may)];
    const ends = [ended('second', june), ended('first', july)];
    const events = history(founded, ...both, ...ends, on('second/solo', monday));
    expect(undone(events, { first: 5, last: 5 })).toMatchObject({
      commands: [{ type: 'EndPlan', data: { line: 'second' } }],
      leaves: [{ path: '/plans/second', why: 'limits-go-on' }],
    });
  });

  it('buys a cancelled add-on again with the old grants, and reports that the new purchase has a new id', () => {
    const events = history(founded, bought(3, 'additionalUser', 'p-1'), cancelled('p-1'));
    expect(undone(events, { first: 2, last: 2 })).toMatchObject({
      commands: [
        {
          type: 'PurchaseAddOn',
          data: { addOn: 'additionalUser', quantity: 3, purchase: 'new-p-1', grants: { termsOf: 1 } },
        },
      ],
      leaves: [{ path: '/addOns/p-1', why: 'new-purchase-id' }],
      refused: [],
    });
  });

  it('restores the quantity of an add-on, and cancels a new add-on', () => {
    const events = history(founded, bought(3, 'additionalUser', 'p-1'), bought(5, 'additionalUser', 'p-1'));
    expect(undone(events, { first: 2, last: 2 }).commands).toEqual([
      { type: 'ChangeQuantity', data: { purchase: 'p-1', quantity: 3 } },
    ]);
    expect(undone(events, { first: 1, last: 2 }).commands).toEqual([
      { type: 'CancelAddOn', data: { purchase: 'p-1' } },
    ]);
  });

  it('ends an override with the given reason, and sets an ended override again, unless its end has passed', () => {
    const until = momentAfter(500);
    const restored = { type: 'HardLimitsRestored', data: { reason: 'enough' } } as const;
    expect(undone(history(founded, overriddenUntil(until)), { first: 1, last: 1 }).commands).toEqual([
      { type: 'RestoreHardLimits', data: { reason: 'undo of #1' } },
    ]);
    expect(undone(history(founded, overriddenUntil(until), restored), { first: 2, last: 2 })).toMatchObject({
      commands: [{ type: 'OverrideHardLimits', data: { until } }],
    });
    expect(undone(history(founded, overriddenUntil(monday), restored), { first: 2, last: 2 })).toMatchObject({
      ...{ commands: [], leaves: [{ path: '/limits/override', why: 'no-command' }] },
    });
  });

  it('enables or disables the product as before, and reports if there was no setting before, because no command removes the setting', () => {
    const disabled = { type: 'ProductDisabled', data: {} } as const;
    expect(undone(history(founded, on('second/teams'), disabled), { first: 2, last: 2 })).toMatchObject({
      ...{ commands: [{ type: 'EnableProduct' }], leaves: [{ path: '/pulse', why: 'no-command' }] },
    });
    const enabled = { type: 'ProductEnabled', data: {} } as const;
    expect(undone(history(founded, disabled, enabled), { first: 2, last: 2 })).toMatchObject({
      ...{ commands: [{ type: 'DisableProduct' }], leaves: [] },
    });
  });

  it.each([
    ['the founding', founded, '/name', 'no-command'],
    [
      'a linked billing account',
      { type: 'BillingAccountLinked', data: { provider: 'stripe', customer: 'cus_1' } },
      '/billing',
      'no-command',
    ],
    [
      'single sign-on',
      { type: 'SingleSignOnConfigured', data: { issuer: 'https://a.test', clientId: 'c' } },
      '/singleSignOn',
      'no-command',
    ],
    [
      'traffic',
      { type: 'TrafficReported', data: { month: '2026-10', views: 5 } },
      '/traffic/2026-10',
      'fact-from-outside',
    ],
  ] as const)('has no command for %s', (_what, event, path, why) => {
    const events = event === founded ? history(founded) : history(founded, event);
    const at = events.length - 1;
    expect(undone(events, { first: at, last: at })).toMatchObject({ commands: [], leaves: [{ path, why }] });
  });

  it('needs no commands for a late sale that is not in force', () => {
    const late = on('second/solo', '2026-10-01T00:00:00.000Z', 's-2');
    const events = history(founded, on('second/teams', monday, 's-1'), late);
    expect(undone(events, { first: 2, last: 2 })).toMatchObject({ commands: [], leaves: [], later: [] });
  });

  it('reopens an organization with the first command, and closes an organization with the last command', () => {
    const reopened = { type: 'OrganizationReopened', data: { reason: 'came back' } } as const;
    const renamed = { type: 'OrganizationRenamed', data: { name: 'Other' } } as const;
    expect(undone(history(...team, renamed, closed), { first: 5 }).commands.map(({ type }) => type)).toEqual([
      'ReopenOrganization',
      'RenameOrganization',
    ]);
    const closedBefore = history(...team, closed, reopened, renamed, changedTo(bob, 'admin'));
    expect(undone(closedBefore, { first: 6 })).toMatchObject({
      commands: [
        { type: 'ChangeRole' },
        { type: 'RenameOrganization' },
        { type: 'CloseOrganization', data: { reason: 'moved away' } },
      ],
      refused: [],
    });
  });

  it('adds the earlier owner before it removes the only present owner, because an organization keeps at least one owner', () => {
    const events = history(founded, on('second/teams'), added(ada, 'owner'), added(bob, 'owner'), removed(ada));
    const { commands, refused } = undone([...events], { first: 3 });
    expect([commands, refused]).toEqual([
      [
        { type: 'AddMember', data: { member: ada, role: 'owner' } },
        { type: 'RemoveMember', data: { member: bob } },
      ],
      [],
    ]);
  });

  it('restores only the paths that the request names', () => {
    const features = { logo: false, reports: true };
    const changed = { type: 'SiteFeaturesChanged', data: { site: shop, features } } as const;
    const events = history(...team, changed, changedTo(bob, 'admin'));
    const only = (...paths: string[][]) => undone(events, { first: 5, only: paths }).commands;
    expect(only(['sites', shop, 'features', 'logo'])).toEqual([
      { type: 'ChangeSiteFeatures', data: { site: shop, features: { logo: null } } },
    ]);
    expect(only(['members'])).toEqual([{ type: 'ChangeRole', data: { member: bob, role: 'member' } }]);
    expect(only(['members', bob, 'role'], ['sites'])).toHaveLength(2);
    expect(only(['plans', 'second'])).toEqual([]);
  });

  it('restores only the settings, or only the manual limits and the override, if the request names only their paths', () => {
    const events = history(
      ...team,
      { type: 'OrganizationRenamed', data: { name: 'Other' } },
      { type: 'ParallelUseChanged', data: { parallelUse: true } },
      { type: 'LimitsConfigured', data: { limits: { users: 9 } } },
      { type: 'HardLimitsOverridden', data: { reason: 'a favour' } },
    );
    const typesOf = (...paths: string[][]) =>
      undone(events, { first: team.length, only: paths }).commands.map(({ type }) => type);
    expect(typesOf(['name'], ['pulse'], ['pulseDetails', 'parallelUse'])).toEqual([
      'RenameOrganization',
      'ChangeParallelUse',
    ]);
    expect(typesOf(['limits'])).toEqual(['ConfigureLimits', 'RestoreHardLimits']);
  });

  it('has at most 20 commands, and counts the further commands', () => {
    const many = Array.from({ length: 33 }, (_, index) =>
      added(`aaaaaaaa-0000-4000-8000-${String(index).padStart(12, '0')}`),
    );
    const { commands, more } = undone(history(founded, ...many), { first: 1 });
    expect([commands.length, more]).toEqual([20, 13]);
  });

  it('restores each entry with its fields in one request, and each purchase once, if it needs several requests', () => {
    const ids = Array.from({ length: 6 }, (_, index) => `aaaaaaaa-0000-4000-8000-00000000010${index}`);
    const features = { logo: false };
    const team = ids.flatMap((id): OrganizationEvent[] => [
      ...[added(id), siteAdded(id, `${id}.test`)],
      { type: 'ProductUserFlagged', data: { member: id } },
      { type: 'SiteFeaturesChanged', data: { site: id, features } },
    ]);
    const gone = ids.flatMap((id) => [removed(id), { type: 'SiteRemoved', data: { site: id } } as const]);
    const events = history(founded, bought(3, 'additionalUser', 'p-1'), ...team, ...gone, cancelled('p-1'));
    const undos = undoneTimes(3, events, { first: 2 + team.length, last: events.length - 1 });
    expect(undos.map(({ commands, more, refused }) => [commands.length, more, refused])).toEqual([
      [19, 6, []],
      [6, 0, []],
      [0, 0, []],
    ]);
    const { after } = undos.at(-1)!;
    expect(Object.values(after.members).map(({ productUser }) => productUser)).toEqual(ids.map(() => true));
    expect(Object.values(after.sites).map((site) => site.features)).toEqual(ids.map(() => features));
    expect(inForce(after)).toEqual([['new-p-1', 3]]);
  });

  it('back to a revision keeps the purchase that already replaces a cancelled purchase, with the earlier quantity', () => {
    const events = history(founded, bought(3, 'additionalUser', 'p-1'), cancelled('p-1'));
    const [undo, again] = undoneTimes(2, events, { first: 2 });
    expect(again).toMatchObject({ commands: [], leaves: [{ path: '/addOns/p-1', why: 'new-purchase-id' }] });
    expect(inForce(again!.after)).toEqual([['new-p-1', 3]]);
    const changed = recorded([bought(5, 'additionalUser', 'new-p-1', momentAfter(500))], context, 4);
    expect(undone([...undo!.eventsAfter, ...changed], { first: 2 })).toMatchObject({
      commands: [{ type: 'ChangeQuantity', data: { purchase: 'new-p-1', quantity: 3 } }],
      refused: [],
    });
  });

  it('buys a new purchase if the purchase that replaced a cancelled purchase was cancelled, too', () => {
    const events = history(founded, bought(3, 'additionalUser', 'p-1'), cancelled('p-1'));
    const { eventsAfter } = undone(events, { first: 2 });
    const gone = recorded([cancelled('new-p-1', momentAfter(500))], context, 4);
    const undos = undoneTimes(2, [...eventsAfter, ...gone], { first: 2 });
    expect(undos.map(({ commands, refused }) => [commands.length, refused])).toEqual([
      [1, []],
      [0, []],
    ]);
    expect(inForce(undos[1]!.after)).toEqual([['new-new-p-1', 3]]);
  });

  it('assigns an ended plan again before it ends a plan that began later on the other product line', () => {
    const events = history(founded, on('second/solo'), ended('second', monday), on('first/essential', monday));
    expect(undone(events, { first: 2 }).commands.map(({ type }) => type)).toEqual(['AssignPlan', 'EndPlan']);
  });
});
