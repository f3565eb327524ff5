import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from './api';

/** The store contains only answers of the service. The rest of the state is in the address. */
export function newStore() {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    devTools: false,
    // Actions contain a function that reads the password instead of the password, and Redux would warn about a
    // function.
    middleware: (defaults) => defaults({ serializableCheck: false }).concat(api.middleware),
  });
  setupListeners(store.dispatch);
  return store;
}
