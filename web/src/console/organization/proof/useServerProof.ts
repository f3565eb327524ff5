import type { Verification } from '@charter/client';
import { useEffect, useRef, useState } from 'react';
import type { CallFailure } from '../../problem';
import { redirectToLogin } from '../../sign-out-redirect';
import { failureIn, type ServerProgress, verifyOnServer } from './verify-on-server';

export type ServerProof =
  | Readonly<{ state: 'idle' | 'stopped' }>
  | Readonly<{ state: 'running'; progress: ServerProgress; elapsed: number }>
  | Readonly<{ state: 'done'; verdict: Verification }>
  | Readonly<{ state: 'failed'; failure: CallFailure }>;

/**
 * A verification by the service. The verification runs only when the person starts it, and ends when the person leaves
 * the page.
 */
export function useServerProof(id: string) {
  const [proof, setProof] = useState<ServerProof>({ state: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), [id]);

  const start = async () => {
    running.current?.abort();
    const controller = (running.current = new AbortController());
    const { signal } = controller;
    const began = performance.now();
    const show = (progress: ServerProgress) =>
      setProof({ state: 'running', progress, elapsed: performance.now() - began });
    show({ done: 0, total: 0 });
    try {
      const verdict = await verifyOnServer(id, signal, show);
      if (!signal.aborted) setProof({ state: 'done', verdict });
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureIn(error);
      if (failure.status === 401) redirectToLogin(window);
      setProof({ state: 'failed', failure });
    }
  };
  const stop = () => {
    running.current?.abort();
    setProof({ state: 'stopped' });
  };
  return { proof, start: () => void start(), stop };
}
