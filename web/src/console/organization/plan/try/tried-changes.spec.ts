import { triedCommands, triedIn, triedText } from './tried-changes';

const since = { event: 0, at: '' };
const purchase = (id: string, addOn: string, quantity: number) => ({
  ...{ purchase: id, addOn, quantity, effectiveAt: '', since },
});
const held = {
  plans: { first: null, second: { plan: 'teams', effectiveAt: '' } },
  addOns: [purchase('a', 'additionalUser', 3), purchase('b', 'additionalUser', 2), purchase('c', 'webAnalytics', 1)],
  serviceLevel: 'assisted' as const,
};
const commandsOf = (text: string) =>
  triedCommands(triedIn(text), held).map(({ type, data }) => [type, ...Object.values(data)]);

describe('The tried changes in an address', () => {
  it('keep their order and their values when they are parsed and printed again', () => {
    const text = 'second/solo,additionalUser:2,service:assisted';
    expect(triedText(triedIn(text))).toBe(text);
  });

  it.each(['', 'third/solo', 'second:solo', 'additionalUser:-1', 'additionalUser:99999', '<b>:1', 'additionalUser/2'])(
    'are empty for the invalid text %j',
    (text) => expect(triedIn(text).size).toBe(0),
  );
});

describe('The commands for the tried changes', () => {
  it.each([
    ['second/solo', [['AssignPlan', 'second', 'solo']]],
    ['second/teams', [['AssignPlan', 'second', 'teams', 'today']]],
    ['second/none', [['EndPlan', 'second']]],
    ['first/none', []],
    ['qualityAssurance:1', [['PurchaseAddOn', 'qualityAssurance', 1]]],
    ['qualityAssurance:0', []],
    ['additionalUser:5', []],
    ['additionalUser:7', [['ChangeQuantity', 'a', 5]]],
    ['additionalUser:4', [['ChangeQuantity', 'b', 1]]],
    [
      'additionalUser:2',
      [
        ['CancelAddOn', 'b'],
        ['ChangeQuantity', 'a', 2],
      ],
    ],
    [
      'additionalUser:0',
      [
        ['CancelAddOn', 'b'],
        ['CancelAddOn', 'a'],
      ],
    ],
    ['service:assisted', []],
    [
      'service:none,second/solo',
      [
        ['AssignPlan', 'second', 'solo'],
        ['AssignServiceLevel', 'none'],
      ],
    ],
  ])('%s are %j', (text, commands) => expect(commandsOf(text)).toEqual(commands));

  it('add a new purchase for the additional units if a person buys online, instead of changing an existing purchase', () => {
    const bought = triedCommands(triedIn('additionalUser:7,webAnalytics:0'), held, { buys: true });
    expect(bought).toEqual([
      { type: 'PurchaseAddOn', data: { addOn: 'additionalUser', quantity: 2 } },
      { type: 'CancelAddOn', data: { purchase: 'c' } },
    ]);
  });
});
