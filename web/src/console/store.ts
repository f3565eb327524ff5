import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from './api';

/**
 * Creates the Redux store, which contains only answers of the service. Moments, filters and drafts are in the URL
 * instead.
 */
export function newStore() {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    devTools: false,
    // An action must not contain a password, so it contains a function that returns the password. `serializableCheck`
    // would warn about this function.
    middleware: (defaults) => defaults({ serializableCheck: false }).concat(api.middleware),
  });
  setupListeners(store.dispatch);
  return store;
}

export type ConsoleDispatch = ReturnType<typeof newStore>['dispatch'];
