import { configureStore, type Middleware } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { signIn } from './signInSlice';
import type { World } from './browser-ports';

/** `watch` sees every action that reaches the state. */
export const storeFor = (world: World, watch?: (action: unknown) => void) =>
  configureStore({
    reducer: { signIn },
    devTools: false,
    middleware: (defaults) => {
      const own = defaults({ thunk: { extraArgument: world } });
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

export type Store = ReturnType<typeof storeFor>;
export const useAppDispatch = useDispatch.withTypes<Store['dispatch']>();
export const useAppSelector = useSelector.withTypes<ReturnType<Store['getState']>>();
