import type { Worker } from 'node:worker_threads';
import { AppendQueue } from './append-queue';
import type { FromCheckpointer } from './messages';
import { thread } from './thread';

/**
 * The threads that write to a store: the writer, which gets the jobs of the append queue, and the checkpointer, which
 * limits the size of the WAL.
 */
export type WritingThreads = Readonly<{ queue: AppendQueue; close: () => Promise<void> }>;

export function writingThreads(file: string, committed: () => void, warn: (sentence: string) => void): WritingThreads {
  let checkpointer: Worker | undefined;
  const queue = new AppendQueue(file, committed, () => {
    // After a failed fsync of one thread, the next fsync of the other thread may report success without having written
    // the data.
    clearTimeout(timer);
    void checkpointer?.terminate();
  });
  const timer = setTimeout(() => (checkpointer = startCheckpointer(file, queue, warn)), CHECKPOINTER_DELAY_MS).unref();

  return {
    queue,
    close: async () => {
      clearTimeout(timer);
      await queue.close({ truncates: checkpointer === undefined });
      if (checkpointer === undefined || checkpointer.threadId === -1) return;
      const ended = new Promise((resolve) => checkpointer?.once('exit', resolve));
      checkpointer.postMessage('close');
      await ended;
    },
  };
}

/** Milliseconds before the checkpointer starts. A command or a spec usually ends earlier, and then needs no thread. */
const CHECKPOINTER_DELAY_MS = 3_000;

function startCheckpointer(file: string, queue: AppendQueue, warn: (sentence: string) => void): Worker {
  const checkpointer = thread('checkpointer', { file });
  checkpointer.on('message', (message: FromCheckpointer) => {
    if (message === 'truncate') queue.truncate();
    else warn(`${file}-wal has grown to ${message.large} bytes: a long read keeps it from shrinking; end that read.`);
  });
  checkpointer.on('error', (error: Error) => queue.stop(error.message));
  return checkpointer;
}
