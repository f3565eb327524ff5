import { redirectToLogin } from './sign-out-redirect';

const leavingFrom = (pathname: string, search: string, hash: string): string => {
  const assign = jest.fn();
  const location = { pathname, search, hash, assign } as unknown as Location;
  redirectToLogin({ location, sessionStorage });
  return assign.mock.calls.flat().join();
};

describe('The address of the log-in page after the end of a session', () => {
  it('leads back to the page and its query', () =>
    expect(leavingFrom('/org/7/members', '?role=owner', '')).toBe(
      '/login?redirect=%2Forg%2F7%2Fmembers%3Frole%3Downer',
    ));
  it('keeps a search in the fragment, which no server gets', () =>
    expect(leavingFrom('/org/7/members', '', '#q=ada@')).toBe('/login?redirect=%2Forg%2F7%2Fmembers#q=ada@'));
  it('contains no page if the person was at /', () => expect(leavingFrom('/', '', '')).toBe('/login'));
});
