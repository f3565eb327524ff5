import type { ErrorEvent } from '@sentry/browser';
import { reportDifference } from './answers-differ';
import { scrubbed } from './scrub';

const event: ErrorEvent = {
  type: undefined,
  event_id: 'e1',
  timestamp: 1,
  release: '0.1.0',
  level: 'error',
  message: 'canary-message',
  user: { id: 'canary-user', email: 'canary@example.com', ip_address: '{{auto}}' },
  request: { url: 'https://app.example.com/reset/canary-token?redirect=canary', headers: { Referer: 'canary' } },
  breadcrumbs: [{ message: 'canary-crumb' }],
  extra: { canary: 'canary' },
  contexts: { page: { canary: 'canary' } },
  tags: { canary: 'canary' },
  transaction: '/reset/canary-token',
  exception: {
    values: [
      {
        type: 'TypeError',
        value: 'canary-value is not a function',
        stacktrace: {
          frames: [
            { filename: 'https://app.example.com/reset/canary-token', lineno: 1 },
            {
              filename: 'https://app.example.com/assets/sign-in-B4x1.js?canary',
              function: 'submit',
              lineno: 7,
              colno: 3,
              vars: { password: 'canary' },
              context_line: 'canary',
            },
          ],
        },
      },
    ],
  },
};

describe('A reported error', () => {
  it("contains the error's type, its position in our files and the release, but no message", () => {
    expect(scrubbed(event)).toEqual({
      type: undefined,
      event_id: 'e1',
      timestamp: 1,
      release: '0.1.0',
      platform: 'javascript',
      level: 'error',
      exception: {
        values: [
          {
            type: 'TypeError',
            value: '',
            stacktrace: { frames: [{ filename: '/assets/sign-in-B4x1.js', function: 'submit', lineno: 7, colno: 3 }] },
          },
        ],
      },
    });
  });

  it('contains no personal data', () => expect(JSON.stringify(scrubbed(event))).not.toContain('canary'));

  it("contains the organization, the revision and the differing paths if it is about a difference between the service's and the computed answer", () => {
    const errors: unknown[] = [];
    const collect = ({ error }: { error: unknown }) => void errors.push(error);
    addEventListener('error', collect);
    reportDifference({ organization: 'an-id', revision: 7, paths: '/document/name' });
    removeEventListener('error', collect);
    const report = scrubbed(event, { originalException: errors[0] });
    expect(report.tags).toEqual({ organization: 'an-id', revision: 7, paths: '/document/name' });
    expect(JSON.stringify(report)).not.toContain('canary');
  });

  it('keeps the level `error` even if the error has no type', () => {
    expect(scrubbed({ type: undefined })).toMatchObject({ level: 'error', exception: { values: [] } });
  });
});
