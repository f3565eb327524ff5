import { configureStore, type Middleware } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { signIn } from './signInSlice';
import type { BrowserPorts } from './browser-ports';

/** @param watch is called with every Redux action that reaches the reducer */
export const createSignInStore = (ports: BrowserPorts, watch?: (action: unknown) => void) =>
  configureStore({
    reducer: { signIn },
    devTools: false,
    middleware: (defaults) => {
      const own = defaults({ thunk: { extraArgument: ports } });
      return watch ? own.concat(watching(watch)) : own;
    },
  });

const watching =
  (watch: (action: unknown) => void): Middleware =>
  () =>
  (next) =>
  (action) => {
    watch(action);
    return next(action);
  };

export type SignInStore = ReturnType<typeof createSignInStore>;
export const useAppDispatch = useDispatch.withTypes<SignInStore['dispatch']>();
export const useAppSelector = useSelector.withTypes<ReturnType<SignInStore['getState']>>();
