import { useState } from 'react';
import { logOut } from '../sign-out-redirect';

/** Logs out once, and gives the state of the request. */
export function useLogOut(): Readonly<{ leave: () => void; leaving: boolean; failed: boolean }> {
  const [state, setState] = useState<'here' | 'leaving' | 'failed'>('here');
  const leave = () => {
    setState('leaving');
    logOut(window).catch(() => setState('failed'));
  };
  return { leave, leaving: state === 'leaving', failed: state === 'failed' };
}
