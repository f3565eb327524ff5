import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { sealEvents, ZERO_HASH } from '@charter/integrity';
import { isPlainMetadata, isSafeToCopy } from './safe-to-copy';

const isSafe = (json: string) => isSafeToCopy(json, JSON.parse(json));

describe('A stored text', () => {
  it('is safe to copy if `JSON.stringify` returned it and its strings contain no quotation mark, space or colon', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: fc.constantFrom('a', 'é', '\u2028', '\n', '\\') }), (value) => {
        const text = JSON.stringify(value);
        expect(isSafe(text)).toBe(true);
      }),
    );
  });

  it('is not safe to copy if it repeats a field', () => {
    const letters = fc.constantFrom('"', ':', ' ', '\\', 'a', '\n');
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: letters }), fc.string({ unit: letters }), (value, name) => {
        const printed = JSON.stringify(name);
        expect(isSafe(`{${printed}:1,${printed} :2,"b":${JSON.stringify(value)}}`)).toBe(false);
        expect(isSafe(`{${printed}:1,"c":{${printed}:2,${printed}:${JSON.stringify(value)}}}`)).toBe(false);
      }),
    );
  });

  it.each(['{\n"a":1}', '{"a":\r1}'])('is not safe to copy if it contains a line break: %j', (text) =>
    expect(isSafe(text)).toBe(false),
  );

  it.each(['{"a"\t:1,"a":1,"b":"\\":"}'])('is not safe to copy if a tab hides a repeated field: %j', (text) =>
    expect(isSafe(text)).toBe(false),
  );
});

describe('Metadata', () => {
  const id = randomUUID();
  const envelope = {
    ...{ command: id, correlation: id, causation: id, at: '2026-11-30T10:00:00.000Z' },
    actor: { kind: 'account' as const, id, powers: [] },
  };
  const end = { revision: -1, at: envelope.at, hash: ZERO_HASH };
  const text = (metadata: object = {}) => {
    const [event] = sealEvents([{ type: 'A', data: {} }], 'a-1', end, envelope);
    return JSON.stringify({ ...event!.metadata, ...metadata });
  };

  // fails if Charter begins to write other metadata, because history lines would then become slow
  it('are plain if Charter wrote them', () => {
    expect(isPlainMetadata(text())).toBe(true);
    expect(isPlainMetadata(text({ actor: { id: 'é: a', kind: 'key' }, causation: 'charter-demo', schema: 12 }))).toBe(
      true,
    );
  });

  it.each([
    ['a line break', text().replace(',', ',\n')],
    ['a line break at the end', `${text()}\n`],
    ['a space', text().replace(',', ', ')],
    ['a repeated field', text().replace('"at":', '"at":"","at":')],
    ['a repeated field of the actor', text().replace('"kind":', '"id":"","kind":')],
    ['another field', text({ signed: true })],
    ['another order', text().replace(/("command":"[^"]*"),("correlation":"[^"]*")/, '$2,$1')],
    ['an escape', text({ causation: 'a\nb' })],
    ['a control character in a string', text({ causation: 'a b' }).replace('a b', 'a\nb')],
    ['a quotation mark in a string', text({ causation: 'a"b' })],
    ['a number in place of a text', text({ hash: 5 })],
    ['a number that is not JSON', text().replace('"schema":1', '"schema":01')],
    ['a number with more digits than JSON.parse keeps', text().replace('"schema":1', '"schema":1000000000000001')],
    ['no hash', text({ hash: undefined })],
    ['two documents', `${text()}${text()}`],
    ['an array', `[${text()}]`],
  ])('are not plain with %s', (_, json) => expect(isPlainMetadata(json)).toBe(false));
});
