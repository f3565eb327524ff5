import { configureStore } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { signIn } from './signInSlice';
import type { World } from './world';

export const storeFor = (world: World) =>
  configureStore({
    reducer: { signIn },
    devTools: false,
    middleware: (defaults) => defaults({ thunk: { extraArgument: world } }),
  });

export type Store = ReturnType<typeof storeFor>;
export const useAppDispatch = useDispatch.withTypes<Store['dispatch']>();
export const useAppSelector = useSelector.withTypes<ReturnType<Store['getState']>>();
