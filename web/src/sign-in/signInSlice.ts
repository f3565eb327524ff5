import { createAsyncThunk, createSlice } from '@reduxjs/toolkit';
import type { BrowserPorts } from './browser-ports';

export type LoginCredentials = Readonly<{ username: string; password: string }>;
/**
 * A hint about a problem other than wrong credentials. The page shows the hint below the sentence that is the same for
 * every failure.
 */
type LoginHint = null | 'too-many' | 'unavailable' | 'unreachable';
export type LoginProblem = Readonly<{
  hint: LoginHint;
  /** Seconds. */
  retryAfter?: number;
  /** The end of these seconds, in milliseconds since 1970. */
  until?: number;
}>;
type SignInState = Readonly<{
  login: 'idle' | 'processing';
  failure: null | LoginProblem;
  forgot: 'entering' | 'processing' | 'sent';
  /** The id of the request that the present form has sent; empty before the request. */
  forgotRequest: string;
}>;

type Thunk = { state: { signIn: SignInState }; extra: BrowserPorts; rejectValue: LoginProblem };

/**
 * Sends the log-in request. Every Redux action of a thunk contains the thunk's argument, so the argument contains a
 * function that reads the credentials instead of the credentials. While a request is pending, the thunk sends no second
 * request. The thunk never reads the body of a successful answer.
 */
export const logIn = createAsyncThunk<undefined, { ask: () => LoginCredentials; redirect: string }, Thunk>(
  'signIn/logIn',
  async ({ ask, redirect }, { extra: { post, go, prefetch, facts }, rejectWithValue }) => {
    prefetch(facts.next);
    try {
      await post('/login', ask());
    } catch (error) {
      if ((error as Answered).code === 'ERR_CANCELED') throw error; // axios uses this code for an aborted request
      return rejectWithValue(loginProblemOf(error));
    }
    go(redirect);
    return undefined;
  },
  { condition: (_, { getState }) => getState().signIn.login === 'idle' },
);

/** Requests a reset link. Every outcome counts as a success, so that the page does not reveal which accounts exist. */
export const sendResetLink = createAsyncThunk<undefined, () => string, Thunk>(
  'signIn/sendResetLink',
  (ask, { extra: { post } }) =>
    post('/forgot', { email: ask() }).then(
      () => undefined,
      () => undefined,
    ),
  { condition: (ask, { getState }) => getState().signIn.forgot === 'entering' && looksLikeEmail(ask()) },
);

const initialState: SignInState = { login: 'idle', failure: null, forgot: 'entering', forgotRequest: '' };

const slice = createSlice({
  name: 'signIn',
  initialState,
  reducers: {
    /** The browser has restored the page from its cache, so the answer to a pending request will never arrive. */
    cameBack: () => initialState,
    /** The person has opened the page that requests a reset link again. */
    forgotOpened: (state) => ({ ...state, forgot: 'entering', forgotRequest: '' }),
  },
  extraReducers: (on) =>
    on
      .addCase(logIn.pending, (state) => ({ ...state, login: 'processing', failure: null }))
      .addCase(logIn.rejected, (state, { payload }) => ({
        ...state,
        login: 'idle',
        failure: payload ?? { hint: null },
      }))
      .addCase(sendResetLink.pending, (state, { meta }) => ({
        ...state,
        forgot: 'processing',
        forgotRequest: meta.requestId,
      }))
      // The person may have opened the form again before an earlier request was answered.
      .addMatcher(sendResetLink.settled, (state, { meta }) =>
        state.forgotRequest === meta.requestId ? { ...state, forgot: 'sent' } : state,
      ),
});

export const { cameBack, forgotOpened } = slice.actions;
export const signIn = slice.reducer;

/** The specification's rule for an e-mail address, without further conditions. */
export const looksLikeEmail = (text: string): boolean => text.length >= 4 && text.includes('@') && text.includes('.');

type Answered = { response?: { status: number; headers?: Record<string, unknown> }; code?: string };

/** The hint for an error that is not about the credentials: too many attempts, an internal error, or no answer. */
export function loginProblemOf(error: unknown): LoginProblem {
  const { response } = error as Answered;
  if (response?.status === 429) {
    const retryAfter = Math.ceil(Number(response.headers?.['retry-after']));
    return retryAfter > 0
      ? { hint: 'too-many', retryAfter, until: Date.now() + retryAfter * 1_000 }
      : { hint: 'too-many' };
  }
  if (!response) return { hint: 'unreachable' };
  return { hint: response.status >= 500 ? 'unavailable' : null };
}
