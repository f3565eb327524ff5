import { refuse } from '@charter/decider';
import { Refused, UnknownRevision, UnreadableStream } from '@charter/aggregates';
import { DatabaseUnavailable } from '@charter/database';
import { Conflict, LogError, StoreRefused } from '@charter/event-log';
import { Outdated } from '@charter/projections';
import { SettingsRefused } from '@charter/settings';
import { CommandDeclined, problemOfFailure } from './problem';

it.each<[error: unknown, reason: string, status: number]>([
  [new Refused(refuse('unknown-plan', 'There is no plan.', { plan: 'x' })), 'unknown-plan', 409],
  [new Refused(refuse('no-such-organization', 'There is none.')), 'no-such-organization', 404],
  [new Refused(refuse('not-allowed', 'You may not.')), 'not-allowed', 403],
  [new UnknownRevision('organization-1', 9, 4), 'unknown-revision', 400],
  [new CommandDeclined('no-such-key', 404, 'There is no key.'), 'no-such-key', 404],
])('The error "%s" is a refusal', (error, reason, status) => {
  const { problem, refused } = problemOfFailure(error);
  expect({ refused, type: problem.type, status: problem.status }).toEqual({
    refused: true,
    type: `/problems/${reason}`,
    status,
  });
});

it("The problem of a refusal contains its facts, but a fact named `type` does not replace the problem's type", () => {
  const facts = { limit: 'users', used: 2, status: 200, type: 'mine' };
  expect(problemOfFailure(new Refused(refuse('limit-exceeded', '2 of 2 users are taken.', facts))).problem).toEqual({
    type: '/problems/limit-exceeded',
    title: 'The limit is reached',
    status: 409,
    detail: '2 of 2 users are taken.',
    limit: 'users',
    used: 2,
  });
});

it.each<[error: unknown, sentence: string]>([
  [new SettingsRefused(['PORT: is no number.', 'HOST: is empty.']), 'PORT: is no number. HOST: is empty.'],
  [new StoreRefused('The store is damaged.'), 'The store is damaged.'],
  [new Outdated('organizations', 2, 1), 'The live documents of organizations are of version 2'],
  [new UnreadableStream('organization-1', 3, new Error('what?')), 'Revision 3 of organization-1 cannot be read: what?'],
  [new Conflict('organization-1', 1n, 2n), 'Nothing was written'],
  [new LogError('unavailable', 'No answer.'), 'If the command changes data, the change may have happened'],
  [
    new DatabaseUnavailable('database is locked'),
    'do not answer: database is locked. If the command changes data, the change may have happened: check before you try again.',
  ],
  [
    new DatabaseUnavailable('The disk failed.'),
    'The disk failed. If the command changes data, the change may have happened',
  ],
  [new LogError('internal', 'The log cannot be read.'), 'The log cannot be read.'],
  [new TypeError('x is undefined'), 'unexpected error: x is undefined (--verbose prints the stack)'],
  ['thrown', 'unexpected error: thrown'],
])('The error "%s" is a failure, which is printed as one sentence', (error, sentence) => {
  const { problem, refused } = problemOfFailure(error);
  expect(refused).toBe(false);
  expect(problem.status).toBeGreaterThanOrEqual(500);
  expect(problem.detail).toContain(sentence);
  expect(problem.detail).not.toContain('\n');
});
