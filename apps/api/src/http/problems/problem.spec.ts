import { DatabaseUnavailable } from '@charter/database';
import { LogError } from '@charter/event-log';
import { problemOf } from './problem';

const preview = '/api/v1/organizations/7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90/preview';
const READS = [
  ['GET', '/api/v1/organizations'],
  ['POST', preview],
  ['POST', `${preview}/`],
  ['POST', `${preview}?dry`],
  ['POST', preview.toUpperCase()],
  ['POST', preview.replace('/preview', '/plan/preview/?dry')],
  ['POST', preview.replace('/preview', '/names')],
  ['POST', preview.replace('/preview', '/undo')],
  ['POST', preview.replace('/preview', '/flag-tickets')],
  ['POST', '/ofrep/v1/evaluate/flags'],
  ['POST', '/ofrep/v1/evaluate/flags/users'],
  ['POST', preview.replace('/preview', '/Members/Search/?asOf=1')],
] as const;
const again = ' with the same Idempotency-Key';

describe('Problem of a request whose outcome is unknown', () => {
  const detailsOf = (method: string, url: string) =>
    [new LogError('unavailable', 'No answer.'), new DatabaseUnavailable('No answer.')].map(
      (error) => problemOf(error, { method, url }).problem.detail,
    );

  it.each(READS)(
    'asks the caller to repeat the request if the request cannot have changed data: %s %s',
    (method, url) => {
      expect(detailsOf(method, url)).toEqual([
        'The event log does not answer. Send the request again.',
        'The tables do not answer. Send the request again.',
      ]);
    },
  );

  it.each([
    '/api/v1/organizations',
    `${preview}s`,
    preview.replace('/preview', '/members'),
    '/api/v1/organizations?next=/names',
  ])('names the Idempotency-Key after a change: POST %s', (url) => {
    expect(detailsOf('POST', url)).toEqual([
      `The event log does not answer. The change may have happened: send the request again${again}.`,
      `The tables do not answer. The change may have happened: send the request again${again}.`,
    ]);
  });

  it.each(['/login', '/login?return_to=/api/v1/', '/auth/google', '/forgot', '/api/v1/keys'])(
    'mentions no Idempotency-Key if the route does not accept this header: POST %s',
    (url) => {
      for (const detail of detailsOf('POST', url)) expect(detail).not.toContain('Idempotency-Key');
    },
  );
});
