import { createAsyncThunk } from '@reduxjs/toolkit';
import { loginProblemOf } from '../signInSlice';
import type { BrowserPorts } from '../browser-ports';

/**
 * The reason why the service refused a mailed link or the password that the person typed, or why the request failed.
 */
export type LinkRefusal = Readonly<{
  reason:
    | 'invalid'
    | 'unavailable'
    | 'unreachable'
    | 'too-many'
    | 'failed'
    | 'refused'
    | 'name'
    | (typeof ofPassword)[number];
  /** The seconds in `Retry-After`; undefined without the header. */
  retryAfter?: number;
}>;

type Thunk = { extra: BrowserPorts; rejectValue: LinkRefusal };

export type ChosenPassword = Readonly<{ password: string; name?: string | undefined }>;

/**
 * The thunk reads the token, the password and the name just before the request, so that no Redux action contains them.
 * Sends no empty name.
 */
export const setPassword = createAsyncThunk<undefined, () => ChosenPassword, Thunk>(
  'signIn/setPassword',
  async (ask, { extra: { post, linkToken: token }, rejectWithValue }) => {
    try {
      const { password, name } = ask();
      await post('/reset', { token, password, ...(name && { name }) });
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

type Answered = { response?: { data?: { type?: unknown; because?: unknown; errors?: { path?: unknown }[] } } };

export const isInvalidLink = (error: unknown): boolean => refusalOf(error).reason === 'invalid';

const ofPassword = ['too-short', 'too-long', 'common', 'personal'] as const;

/** The reason of a failed request; `invalid` only if the service answers that the link is invalid. */
function refusalOf(error: unknown): LinkRefusal {
  const { hint, retryAfter } = loginProblemOf(error);
  if (hint !== null) return { reason: hint, ...(retryAfter !== undefined && { retryAfter }) };
  const { type, because, errors } = (error as Answered).response?.data ?? {};
  if (type === '/problems/reset-link-invalid') return { reason: 'invalid' };
  if (errors?.[0]?.path === 'name') return { reason: 'name' };
  if (type !== '/problems/password-refused') return { reason: 'failed' };
  return { reason: ofPassword.find((reason) => reason === because) ?? 'refused' };
}
