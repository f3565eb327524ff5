import { useEffect, useRef, useState } from 'react';
import type { FileProgress } from '../../../proof/file-check/export-check';
import type { ProofMessage, ProofRequest, ProofResult } from '../../../proof/worker-messages';
import { logFetch } from '../../requests/fetch-logged';
import { redirectToLogin } from '../../sign-out-redirect';

export type BrowserProof =
  | Readonly<{ state: 'idle' | 'stopped' }>
  | Readonly<{ state: 'running'; progress: FileProgress; elapsed: number }>
  | Readonly<{ state: 'done'; result: ProofResult; elapsed: number }>;

const newWorker = () => new Worker(new URL('../../../proof/proof-worker.ts', import.meta.url), { type: 'module' });

/** A check of the export in this browser, in a worker. The check ends when the person leaves the page. */
export function useBrowserProof(id: string) {
  const [proof, setProof] = useState<BrowserProof>({ state: 'idle' });
  const worker = useRef<Worker>(undefined);
  const end = () => {
    worker.current?.terminate();
    worker.current = undefined;
  };
  useEffect(() => end, [id]);

  const start = (keeps: boolean, eventsMin: number | undefined) => {
    end();
    const began = performance.now();
    const current = (worker.current = newWorker());
    setProof({ state: 'running', progress: { events: 0, bytes: 0 }, elapsed: 0 });
    const finish = (result: ProofResult) => {
      end();
      if (result.kind === 'refused' && result.refusal.status === 401) redirectToLogin(window);
      setProof({ state: 'done', result, elapsed: performance.now() - began });
    };
    current.onmessage = ({ data }: MessageEvent<ProofMessage>) => {
      if ('result' in data) finish(data.result);
      else if ('sent' in data) logFetch(data.sent);
      else setProof({ state: 'running', progress: data.progress, elapsed: performance.now() - began });
    };
    current.onerror = () => finish({ kind: 'interrupted' });
    const url = `/api/v1/organizations/${id}`;
    current.postMessage({
      ...{ exportUrl: `${url}/export`, eventsUrl: `${url}/events`, keeps },
      ...{ stream: `organization-${id.toLowerCase()}`, eventsMin },
    } satisfies ProofRequest);
  };
  const stop = () => {
    end();
    setProof({ state: 'stopped' });
  };
  return { proof, start, stop };
}
