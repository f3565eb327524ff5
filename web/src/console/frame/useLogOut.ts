import { useState } from 'react';
import { logOut } from '../sign-out-redirect';

/** Returns a function that logs out with one request, and the state of this request. */
export function useLogOut(): Readonly<{ leave: () => void; leaving: boolean; failed: boolean }> {
  const [state, setState] = useState<'here' | 'leaving' | 'failed'>('here');
  const leave = () => {
    setState('leaving');
    logOut(window).catch(() => setState('failed'));
  };
  return { leave, leaving: state === 'leaving', failed: state === 'failed' };
}
