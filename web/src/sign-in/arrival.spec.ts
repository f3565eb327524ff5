import { SIGNED_OUT, takeLinkToken, takeSignedOut } from './arrival';

describe('The token of a mailed link', () => {
  const arrive = (path: string) => {
    window.history.replaceState(null, '', path);
    return takeLinkToken(window);
  };

  it.each([
    ['/reset/abc-DEF_123', 'abc-DEF_123', '/reset'],
    ['/invitation/abc', 'abc', '/invitation'],
    ['/email/confirm/abc', 'abc', '/email/confirm'],
    ['/reset/a%20b', 'a b', '/reset'],
    ['/reset/%E0%A4%A', '%E0%A4%A', '/reset'],
  ])('is read from %s as "%s"; the address bar then shows %s', (path, token, left) => {
    expect(arrive(path)).toBe(token);
    expect(window.location.pathname).toBe(left);
  });

  it.each(['/reset', '/login/google', '/forgot', '/'])('is empty for %s', (path) => {
    expect(arrive(path)).toBe('');
    expect(window.location.pathname).toBe(path);
  });
});

describe('The note in session storage that a session has ended', () => {
  it('is reported only at the first call', () => {
    window.sessionStorage.setItem(SIGNED_OUT, '');
    expect([takeSignedOut(window), takeSignedOut(window)]).toEqual([true, false]);
  });

  it('is never reported without session storage', () => {
    const closed = {
      get sessionStorage(): Storage {
        throw new Error('denied');
      },
    };
    expect(takeSignedOut(closed)).toBe(false);
  });
});
