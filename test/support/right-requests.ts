import type { Route } from './routes';
import { type Asked, rightRequests, type World } from './world';

/** Those that somebody needs who is not signed in; open to everyone, with the token of a page of ours. */
export const signInRequests: Readonly<Record<Route, (world: World) => Asked>> = {
  'POST /login': () => ({ path: '/login', body: { username: 'nobody', password: 'nothing' } }),
  'POST /forgot': () => ({ path: '/forgot', body: { email: 'nobody@people.example' } }),
  'POST /reset': () => ({ path: '/reset', body: { token: 'none', password: 'nothing' } }),
  'POST /logout': () => ({ path: '/logout' }),
};
export const signInRoutes = Object.keys(signInRequests) as Route[];

/** One right request for each route that takes one. */
export const everyRightRequest: Readonly<Record<Route, (world: World) => Asked>> = {
  ...rightRequests,
  ...signInRequests,
};
