import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from './api';

/** What the console has fetched, and nothing else: everything it shows is in its address. */
export function newStore() {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    devTools: false,
    // A password is handed over as a function that asks for it, on purpose.
    middleware: (defaults) => defaults({ serializableCheck: false }).concat(api.middleware),
  });
  setupListeners(store.dispatch);
  return store;
}
