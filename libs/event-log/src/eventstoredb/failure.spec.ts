import { Conflict, LogError } from '../errors';
import { appendErrorOf, isSlowConsumer, logErrorOf } from './failure';

const raised = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);
const kindOf = (cause: unknown) => logErrorOf(cause, 'It failed').kind;

describe('Error of the EventStoreDB client', () => {
  it.each([
    ['stream-not-found', 'not-found'],
    ['no-stream', 'not-found'],
    ['stream-deleted', 'deleted'],
    ['maximum-append-size-exceeded', 'too-large'],
    ['invalid-argument', 'invalid'],
    ['unsupported', 'invalid'],
    ['access-denied', 'denied'],
    ['unavailable', 'unavailable'],
    ['cancelled', 'unavailable'],
    ['deadline-exceeded', 'unavailable'],
    ['timeout', 'unavailable'],
    ['not-leader', 'unavailable'],
    ['invalid-transaction', 'internal'],
    ['unknown', 'internal'],
  ])('of type %s gets the kind %s', (type, kind) => expect(kindOf(raised('', { type }))).toBe(kind));

  it.each([
    ['No connection established', 14, 'unavailable'],
    ['Permission denied', 7, 'denied'],
    ['Unauthenticated', 16, 'denied'],
    ['Too many', 8, 'unavailable'],
    ['Received RST_STREAM with code 2', 13, 'unavailable'],
    ['Something else inside', 13, 'internal'],
    ['Unexpected ReadAllResult: Error', 2, 'invalid-position'],
    ['Unexpected ReadAllResult: InvalidPosition', 2, 'invalid-position'],
    ['Trying to read from an invalid position', 3, 'invalid-position'],
    ['Server Is Not Ready', 2, 'unavailable'],
    ['Server Is Too Busy', 2, 'unavailable'],
    ['Record is too large', 2, 'too-large'],
    ['Another failure', 2, 'internal'],
  ])('without a type gets its kind from its message and its code: %s (%p) is %s', (message, code, kind) => {
    expect(kindOf(raised(message, { code }))).toBe(kind);
    expect(kindOf(raised(message, { code, type: 'unknown' }))).toBe(kind);
  });

  it('may be any value, not only an Error', () => {
    expect(kindOf(raised('Failed to discover after 10 attempts.'))).toBe('unavailable');
    expect(kindOf('a word')).toBe('internal');
    expect(kindOf(undefined)).toBe('internal');
    const own = new LogError('closed', 'The log is closed.');
    expect(logErrorOf(own, 'It failed')).toBe(own);
  });

  it("for a wrong revision becomes a conflict with a message, because the client's message is empty", () => {
    const wrong = (actualVersion: unknown) => raised('', { type: 'wrong-expected-version', actualVersion });
    const conflict = appendErrorOf(wrong(7n), 'organization-1', 3n);
    expect(conflict).toBeInstanceOf(Conflict);
    expect(conflict).toMatchObject({ stream: 'organization-1', expected: 3n, actual: 7n });
    expect(conflict.message).toMatch(/is 7, but the append expected 3/);
    expect(appendErrorOf(wrong('no_stream'), 'organization-1', 3n)).toMatchObject({ actual: 'no_stream' });
    expect(appendErrorOf(raised('', { type: 'unavailable' }), 'organization-1', 3n)).toMatchObject({
      kind: 'unavailable',
    });
  });

  it('is recognized when the server dropped a consumer because the consumer was too slow', () => {
    const slow = raised('10 ABORTED: Operation timed out: Consumer too slow to handle event', {
      type: 'timeout',
      code: 10,
    });
    expect(isSlowConsumer(logErrorOf(slow, 'The subscription failed'))).toBe(true);
    expect(isSlowConsumer(logErrorOf(raised('10 ABORTED', { type: 'timeout' }), 'The subscription failed'))).toBe(
      false,
    );
  });
});
