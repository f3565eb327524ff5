import { createAsyncThunk } from '@reduxjs/toolkit';
import type { World } from './world';

/** Why a mailed link, or what was entered with it, was not taken. */
export type Refusal = 'invalid' | 'unreachable' | 'refused' | 'too-short' | 'too-long' | 'common' | 'personal';

type Thunk = { extra: World; rejectValue: Refusal };

/** The token comes from memory and the password from the form, at the last moment: no action holds either of them. */
export const setPassword = createAsyncThunk<undefined, () => string, Thunk>(
  'signIn/setPassword',
  async (ask, { extra: { post, linkToken: token }, rejectWithValue }) => {
    try {
      await post('/reset', { token, password: ask() });
      return undefined;
    } catch (error) {
      return rejectWithValue(refusalOf(error));
    }
  },
);

export const confirmEmail = createAsyncThunk<undefined, undefined, Thunk>(
  'signIn/confirmEmail',
  async (_, { extra: { post, linkToken: token }, rejectWithValue }) => {
    try {
      await post('/email/confirm', { token });
      return undefined;
    } catch (error) {
      return rejectWithValue(refusalOf(error));
    }
  },
);

type Problem = Readonly<{ type?: unknown; because?: unknown }>;
const reasons = ['too-short', 'too-long', 'common', 'personal'] as const;

function refusalOf(error: unknown): Refusal {
  const { response } = error as { response?: { status: number; data?: Problem } };
  if (!response || response.status >= 500 || response.status === 429) return 'unreachable';
  if (response.data?.type !== '/problems/password-refused') return 'invalid';
  return reasons.find((reason) => reason === response.data?.because) ?? 'refused';
}
