import { AppendQueue } from './append-queue';
import type { FromCheckpointer } from './messages';
import { thread } from './thread';

/**
 * The threads that write to a store: the writer, which gets the jobs of the append queue, and the checkpointer, which
 * limits the size of the WAL.
 */
export type WritingThreads = Readonly<{ queue: AppendQueue; close: () => Promise<void> }>;

export function writingThreads(file: string, committed: () => void, warn: (sentence: string) => void): WritingThreads {
  const queue = new AppendQueue(file, committed);
  const checkpointer = thread('checkpointer', { file });

  checkpointer.on('message', (message: FromCheckpointer) => {
    if (message === 'truncate') queue.truncate();
    else if ('broken' in message) queue.stop(message.broken);
    else warn(`${file}-wal has grown to ${message.large} bytes: a long read keeps it from shrinking; end that read.`);
  });
  checkpointer.on('error', (error: Error) => queue.stop(error.message));

  return {
    queue,
    close: async () => {
      await queue.close();
      const ended = new Promise((resolve) => checkpointer.once('exit', resolve));
      checkpointer.postMessage('close');
      if (checkpointer.threadId !== -1) await ended;
    },
  };
}
