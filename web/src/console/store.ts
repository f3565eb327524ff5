import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from './api';

/** The store holds fetched answers only. The address holds the rest of the state. */
export function newStore() {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    devTools: false,
    // An action may carry a function that reads the password, so that no action contains the password itself.
    middleware: (defaults) => defaults({ serializableCheck: false }).concat(api.middleware),
  });
  setupListeners(store.dispatch);
  return store;
}
