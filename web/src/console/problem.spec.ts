import { type CallFailure, failureKind } from './problem';

const answered = (status: number, retryAfter: number | null = null): CallFailure => ({
  ...{ status, retryAfter },
  ...{ reason: 'some', request: '' },
});

describe('The kind of a failed request', () => {
  it.each([
    ['missing', 400, null],
    ['missing', 404, null],
    ['paused', 429, 5],
    ['paused', 503, 5],
    ['failed', 503, null],
    ['failed', 500, 5],
    ['failed', 410, null],
    ['failed', 403, null],
    ['failed', 0, null],
  ] as const)('is %s after the status %i and Retry-After %s', (kind, status, retryAfter) => {
    expect(failureKind({ error: answered(status, retryAfter) })).toBe(kind);
  });

  it('is unknown while the request is sent again, and without a failure', () => {
    expect(failureKind({ error: answered(500), isFetching: true })).toBeUndefined();
    expect(failureKind({ isFetching: false })).toBeUndefined();
  });
});
