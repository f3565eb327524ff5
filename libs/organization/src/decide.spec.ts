import { decideAll } from '@charter/decider';
import fc from 'fast-check';
import { type CommandType, createdIdOf, withNewId, publicCommands, CommandInput } from './commands';
import { organizationDecider } from './decide';
import { commands, everyCommand } from './testing/every-command.testing';
import { ada, catalogue, founded, given, now, operator, shop } from './testing/organization.testing';

const parse = (type: string, data: unknown) => CommandInput.safeParse({ type, data });
const errorsOf = (type: string, data: unknown) =>
  parse(type, data).error?.issues.map(({ path, code }) => [path.join('.'), code]);
const open = commands.filter(({ type }) => publicCommands.includes(type));

/**
 * The fields that a command may omit. If any other field is missing, the command is refused, and the error names this
 * field.
 */
const optional: { readonly [type in CommandType]?: readonly string[] } = {
  AddSite: ['site'],
  AddQualityAssuranceDomain: ['domain'],
  AddWebAnalyticsDomain: ['domain'],
  PurchaseAddOn: ['purchase', 'quantity'],
  RestoreHardLimits: ['reason'],
  ConfigureLimits: ['users'],
};
const required = open.flatMap(({ type, data }) =>
  Object.keys(data)
    .filter((field) => !optional[type]?.includes(field))
    .map((field) => [type, field] as const),
);

describe('Command input', () => {
  it.each(open)('is accepted: $type', ({ type, data }) => {
    expect(parse(type, data)).toEqual({ success: true, data: { type, data } });
  });

  it('has the type of a command that affects only one stream; other types are refused', () => {
    const hidden = Object.keys(everyCommand).filter((type) => !publicCommands.includes(type as CommandType));
    expect(hidden).toEqual([
      ...['FoundOrganization', 'LinkBillingAccount', 'ConfigureSingleSignOn', 'RemoveSingleSignOn'],
      ...['ClaimEmailDomain', 'ProveEmailDomain', 'LoseEmailDomain', 'ReleaseEmailDomain'],
      'ChangeEmailDomainSettings',
    ]);
    for (const type of [...hidden, 'Unknown', '__proto__', 'constructor', ''])
      expect(errorsOf(type, {})).toEqual([['type', 'invalid_union']]);
  });

  it.each([null, [], 'RenameOrganization', 7, {}, { data: {} }])('is refused: %j', (value) =>
    expect(CommandInput.safeParse(value).success).toBe(false),
  );

  it.each(open)('is refused if it has an unknown field: $type', ({ type, data }) => {
    expect(parse(type, { ...data, surprise: 1 }).error?.issues).toMatchObject([
      { path: ['data'], code: 'unrecognized_keys', keys: ['surprise'] },
    ]);
    const polluted = Object.defineProperty({ ...data }, '__proto__', { value: { role: 'owner' }, enumerable: true });
    expect(parse(type, polluted).error?.issues).toMatchObject([{ path: ['data'], keys: ['__proto__'] }]);
    expect(CommandInput.safeParse({ type, data, actor: 'op' }).success).toBe(false);
  });

  it.each(open)('is refused if its data is not an object: $type', ({ type }) => {
    for (const data of [null, [], 'x', 7, true]) expect(errorsOf(type, data)).toEqual([['data', 'invalid_type']]);
  });

  it.each(required)(
    'of type %s is refused if the field %s is missing or wrong, and the error names the field',
    (type, field) => {
      const missing = { ...everyCommand[type], [field]: undefined };
      expect(errorsOf(type, missing)?.map(([path]) => path)).toEqual([`data.${field}`]);
      const wrong = { ...everyCommand[type], [field]: Symbol.iterator };
      expect(errorsOf(type, wrong)?.map(([path]) => path)).toEqual([`data.${field}`]);
    },
  );

  it('is refused with one error for each wrong field, and each error contains the path of the field', () => {
    expect(errorsOf('AddMember', { member: 'ada', role: 'boss' })?.map(([path]) => path)).toEqual([
      'data.member',
      'data.role',
    ]);
    expect(errorsOf('ChangeSiteFeatures', { site: shop, features: { logo: 'yes' } })?.map(([path]) => path)).toEqual([
      'data.features.logo',
    ]);
    expect(errorsOf('ChangeSiteFeatures', { site: shop, features: { glow: true } })?.map(([path]) => path)).toEqual([
      'data.features',
    ]);
    expect(errorsOf('PurchaseAddOn', { addOn: 'feedback', quantity: -1 })?.map(([path]) => path)).toEqual([
      'data.quantity',
    ]);
    expect(errorsOf('OverrideHardLimits', { reason: 'x', until: 'soon' })?.map(([path]) => path)).toEqual([
      'data.until',
    ]);
  });

  it('may omit `data` if its type has no required fields', () => {
    expect(CommandInput.safeParse({ type: 'EnableProduct' }).data).toEqual({ type: 'EnableProduct', data: {} });
    expect(CommandInput.safeParse({ type: 'RestoreHardLimits' }).data).toEqual({
      type: 'RestoreHardLimits',
      data: { reason: 'by hand' },
    });
    expect(CommandInput.safeParse({ type: 'ConfigureLimits' }).success).toBe(false);
  });

  it('cannot configure the limit of web-analytics domains, which is fixed at 1,000', () => {
    expect(parse('ConfigureLimits', { webAnalyticsDomains: 3 }).success).toBe(false);
  });

  it('never throws, whatever the value is', () => {
    const type = fc.oneof(fc.constantFrom(...Object.keys(everyCommand)), fc.string());
    const property = fc.property(type, fc.anything({ withNullPrototype: true }), (name, data) => {
      expect([true, false]).toContain(parse(name, data).success);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});

describe('Entry that a command adds', () => {
  it.each([
    ['AddSite', { hostname: 'shop.test' }, 'site'],
    ['AddQualityAssuranceDomain', { hostname: 'qa.test' }, 'domain'],
    ['AddWebAnalyticsDomain', { hostname: 'wa.test' }, 'domain'],
    ['PurchaseAddOn', { addOn: 'feedback' }, 'purchase'],
  ])('has a new id if %s names no id, and otherwise the id that the command names', (type, data, field) => {
    const nameless = CommandInput.parse({ type, data });
    expect(withNewId(nameless, shop).data).toEqual({ ...nameless.data, [field]: shop });
    expect(createdIdOf(withNewId(nameless, shop))).toBe(shop);
    const own = CommandInput.parse({ type, data: { ...data, [field]: ada } });
    expect(withNewId(own, shop)).toEqual(own);
    expect(createdIdOf(withNewId(own, shop))).toBe(ada);
  });

  it("has the account's id if the entry is a member", () => {
    const adding = CommandInput.parse({ type: 'AddMember', data: everyCommand.AddMember });
    expect(withNewId(adding, shop)).toEqual(adding);
    expect(createdIdOf(withNewId(adding, shop))).toBe(ada);
  });

  it.each(open.filter(({ type }) => !/^(Add|Purchase)/.test(type)))(
    'does not exist for the command $type',
    (command) => {
      expect(createdIdOf(command)).toBeUndefined();
      expect(withNewId(command, ada)).toEqual(command);
    },
  );
});

describe('Commands in sequence', () => {
  const decider = organizationDecider(catalogue);
  const after = { state: given(founded).state(), revision: 0, at: now };

  it('are decided one after the other, each on the state after the previous commands', () => {
    const list = [
      { type: 'AssignPlan', data: { line: 'second', plan: 'solo' } },
      { type: 'AddMember', data: { member: ada, role: 'member' } },
      { type: 'AddMember', data: { member: shop, role: 'member' } },
    ] as const;
    expect(decideAll(decider, list, after, { actor: operator, at: now })).toMatchObject({
      index: 2,
      refusal: { refused: 'limit-exceeded', facts: { because: [{ event: 1 }, { event: 1 }] } },
    });
  });
});
