import { eventId, isRandomUuid, uuidv5 } from './event-id';

const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

describe('Name-based UUID', () => {
  it.each([
    [dns, 'www.example.com', '2ed6657d-e927-568b-95e1-2665a8aea6a2'], // RFC 9562, A.4
    [dns, 'python.org', '886313e1-3b8a-5372-9b90-0c9aee199e5d'],
    [dns.toUpperCase(), 'www.example.com', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
  ])('is the UUID that RFC 9562 defines for the namespace %s and the name %s', (namespace, name, id) =>
    expect(uuidv5(namespace, name)).toBe(id),
  );

  it("differs for each command and each index of an event, and has version 5 and the RFC's variant", () => {
    const ids = [dns, eventId(dns, 1)].flatMap((command) => [0, 1, 2, 10, 11].map((index) => eventId(command, index)));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it.each(['', 'c-1', `${dns}0`, dns.replaceAll('-', '')])(
    'cannot be made from a command id that is not a UUID: %j',
    (command) => {
      expect(() => eventId(command, 0)).toThrow(RangeError);
    },
  );

  it('is not recognized as a random UUID', () => {
    expect(isRandomUuid(crypto.randomUUID())).toBe(true);
    expect(isRandomUuid(eventId(dns, 0))).toBe(false);
  });
});
