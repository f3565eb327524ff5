import { redirectToLogin } from './sign-out-redirect';

const leavingFrom = (pathname: string, search: string, hash: string): string => {
  const assign = jest.fn();
  const location = { pathname, search, hash, assign } as unknown as Location;
  redirectToLogin({ location, sessionStorage });
  return assign.mock.calls.flat().join();
};

describe('The address of the log-in page after the end of a session', () => {
  it('names the page and its query string as the target', () =>
    expect(leavingFrom('/org/7/members', '?role=owner', '')).toBe(
      '/login?redirect=%2Forg%2F7%2Fmembers%3Frole%3Downer',
    ));
  it('keeps a search text in the fragment, which browsers send to no server', () =>
    expect(leavingFrom('/org/7/members', '', '#q=ada@')).toBe('/login?redirect=%2Forg%2F7%2Fmembers#q=ada@'));
  it('names no target if the person was at /', () => expect(leavingFrom('/', '', '')).toBe('/login'));
});
