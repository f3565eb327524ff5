import { once } from 'node:events';
import { eventBytes, type SerializedEvent } from '../../serialized-event';
import { Conflict, LogError } from '../../errors';
import { type AppendResult, type ExpectedRevision, positionOf } from '../../port';
import {
  type CommitResult,
  type FromWriter,
  type AppendJob,
  type AppendOutcome,
  monotonicNow,
  type ToWriter,
} from './messages';
import { thread } from './thread';

/**
 * The maximum number of waiting appends, and the maximum of their total size. The queue refuses further appends, so
 * that its memory stays limited.
 */
const most = { jobs: 10_000, bytes: 256 * 1024 * 1024 };

type Append = Readonly<{
  stream: string;
  events: readonly SerializedEvent[];
  expected: ExpectedRevision;
  deadline: number;
}>;
type Waiting = Append & Readonly<{ bytes: number; settle: (outcome: AppendOutcome) => void }>;

/**
 * Sends appends to the writing thread. One message contains all appends of one iteration of the event loop. The
 * outcomes of one commit also arrive in one message.
 */
export class AppendQueue {
  readonly #writer;
  readonly #waiting: Waiting[] = []; // in the order in which the writer answers
  #unsent: AppendJob[] = [];
  #bytes = 0;
  #stopped: string | undefined;

  constructor(
    file: string,
    private readonly committed: () => void,
    private readonly whenStopped: () => void,
  ) {
    this.#writer = thread('writer', { file });
    this.#writer.on('message', (message: FromWriter) => {
      if (message !== 'ready') this.#answer(message);
    });
    this.#writer.on('error', (error: Error) => this.stop(error.message));
  }

  /** Resolves when the thread has opened the file. */
  async ready(): Promise<void> {
    await once(this.#writer, 'message');
  }

  /**
   * The reason why the writer has stopped; `undefined` while the writer runs. A stopped writer writes nothing until a
   * restart has checked the file.
   */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  append(append: Append): Promise<AppendResult> {
    const bytes = append.events.reduce((sum, event) => sum + eventBytes(event), 0);
    if (this.#stopped)
      return Promise.reject(unavailable(`The log accepts no more events until a restart: ${this.#stopped}.`));
    if (this.#waiting.length >= most.jobs || this.#bytes + bytes > most.bytes) {
      return Promise.reject(unavailable('Too many appends wait for the disk.'));
    }
    this.#enqueue(append, bytes);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(deadlinePassed(append)), append.deadline);
      const settle = (outcome: AppendOutcome) => {
        clearTimeout(timer);
        if (outcome[0] === 'appended') resolve(answer(outcome));
        else reject(refusal(append, outcome));
      };
      this.#bytes += bytes;
      this.#waiting.push({ ...append, bytes, settle });
    });
  }

  /**
   * Accepts no more appends, and ends the thread. All unanswered appends fail with `unavailable`, because the writer
   * may already have stored some of them.
   */
  stop(why: string): void {
    this.#stopped ??= why;
    void this.#writer.terminate();
    this.whenStopped();
    this.#settle(
      this.#waiting.map(() => ['failed', 'unavailable', `The log accepts no more events until a restart: ${why}.`]),
    );
  }

  /** Requests that the writer empty the WAL between two transactions. */
  truncate(): void {
    this.#send('truncate');
  }

  /**
   * Waits until the writer has finished the queued appends, and ends the thread. `truncates` means that the writer
   * empties the WAL after the last append.
   */
  async close({ truncates }: Readonly<{ truncates: boolean }>): Promise<void> {
    const ended = new Promise((resolve) => this.#writer.once('exit', resolve));
    this.#flush();
    this.#send(truncates ? 'truncate-and-close' : 'close');
    if (this.#writer.threadId !== -1) await ended;
  }

  #enqueue({ stream, expected, deadline, events }: Append, bytes: number) {
    const fields = events.map(({ id, type, data, metadata }) => [id, type, data, metadata] as const);
    if (this.#unsent.push([stream, expected, monotonicNow() + deadline, bytes, fields]) === 1)
      setImmediate(() => this.#flush());
  }

  #flush() {
    if (this.#unsent.length > 0) this.#send(this.#unsent);
    this.#unsent = [];
  }

  #send(message: ToWriter) {
    this.#writer.postMessage(message);
  }

  #answer({ outcomes, stopped }: CommitResult) {
    this.#settle(outcomes);
    if (stopped) this.stop(stopped);
    if (outcomes.some(([kind]) => kind === 'appended')) this.committed();
  }

  #settle(outcomes: readonly AppendOutcome[]) {
    const answered = this.#waiting.splice(0, outcomes.length);
    for (const [index, { settle, bytes }] of answered.entries()) {
      this.#bytes -= bytes;
      settle(outcomes[index]!);
    }
  }
}

const unavailable = (why: string) => new LogError('unavailable', why);

const deadlinePassed = ({ stream, deadline }: Append) =>
  unavailable(`The append to ${stream} got no answer within ${deadline} ms.`);

type Done = Extract<AppendOutcome, readonly ['appended', ...unknown[]]>;

const answer = ([, revision, position, repeated]: Done): AppendResult => ({
  revision,
  position: positionOf(BigInt(position)),
  repeated,
});

function refusal({ stream, expected }: Append, outcome: Exclude<AppendOutcome, Done>): LogError {
  if (outcome[0] === 'failed') return new LogError(outcome[1], outcome[2]);
  return new Conflict(stream, expected, outcome[1] < 0n ? 'no_stream' : outcome[1]);
}
