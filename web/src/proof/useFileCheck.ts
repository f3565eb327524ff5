import { useEffect, useRef, useState } from 'react';
import { checkBlob, CheckStopped } from './file-check/check-blob';
import { NoCryptography } from './file-check/ed25519';
import type { FileProgress, FileVerdict } from './file-check/export-check';

export type FileCheck =
  | Readonly<{ state: 'idle' | 'stopped' }>
  | Readonly<{ state: 'failed'; isUnsupported: boolean }>
  | Readonly<{ state: 'running'; name: string; size: number; progress: FileProgress; elapsed: number }>
  | Readonly<{ state: 'done'; name: string; verdict: FileVerdict; elapsed: number }>;

/** The minimum number of milliseconds between two changes of the progress bar. */
const PROGRESS_MS = 100;

/** A check of a file that the person chose. The check stops when the person chooses another file or leaves the page. */
export function useFileCheck() {
  const [check, setCheck] = useState<FileCheck>({ state: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (file: File) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    const began = performance.now();
    const { name, size } = file;
    let shown = -Infinity;
    const show = (progress: FileProgress) => {
      const elapsed = performance.now() - began;
      if (signal.aborted || elapsed - shown < PROGRESS_MS) return;
      shown = elapsed;
      setCheck({ state: 'running', name, size, progress, elapsed });
    };
    show({ events: 0, bytes: 0 });
    try {
      const verdict = await checkBlob(file, signal, show);
      if (!signal.aborted) setCheck({ state: 'done', name, verdict, elapsed: performance.now() - began });
    } catch (error) {
      if (error instanceof CheckStopped || signal.aborted) return;
      setCheck({ state: 'failed', isUnsupported: error instanceof NoCryptography });
    }
  };
  const stop = () => {
    running.current?.abort();
    setCheck({ state: 'stopped' });
  };
  return { check, start: (file: File) => void run(file), stop };
}
