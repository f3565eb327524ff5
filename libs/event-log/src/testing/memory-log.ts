import { setImmediate as nextTick } from 'node:timers/promises';
import { decideAppend, recentEventIds } from '../append-rule';
import { serializeEvents, type SerializedEvent } from '../serialized-event';
import { Conflict, LogError } from '../errors';
import { type MemoryStore, memoryStore, type MemoryRow, eventFromRow } from './memory-store';
import { MemorySubscription } from './memory-subscription';
import {
  type ReadAllOptions,
  type AppendOptions,
  type EventLog,
  type NewEvent,
  positionOf,
  type ReadStreamOptions,
  type SubscribeOptions,
} from '../port';
import { checkedCount, checkedRevision, matchesPrefixes, isSystemEvent, positionNumber } from '../reading/read-rule';

/**
 * The event log in memory, for specs. This log fulfils the whole contract of the port, and loses all events when its
 * process ends.
 */
export class MemoryLog implements EventLog {
  private readonly recent = recentEventIds();
  private readonly subscriptions = new Set<MemorySubscription>();
  private isClosed = false;

  constructor(readonly store: MemoryStore = memoryStore()) {}

  async append(stream: string, events: readonly NewEvent[], { expected }: AppendOptions) {
    this.refuseIfClosed();
    const content = serializeEvents(stream, events, expected);
    await nextTick(); // another append may finish first here, as on a disk
    this.refuseIfClosed();
    return this.decideAndWrite(stream, content, expected);
  }

  async *readStream(stream: string, { from, direction = 'forwards', maxCount, absent }: ReadStreamOptions = {}) {
    await this.nextMicrotask();
    const most = checkedCount(maxCount);
    if (typeof from === 'bigint') checkedRevision(from);
    if (most === 0) return;
    const rows = this.store.streams.get(stream);
    if (!rows || isSystemEvent({ stream, type: '' })) {
      if (absent === 'empty') return;
      throw new LogError('not-found', `There is no stream ${stream}.`);
    }

    const end = rows.length - (direction === 'forwards' ? 0 : 1);
    const first =
      from === 'end' || (from === undefined && direction === 'backwards')
        ? end
        : Number(from === 'start' ? 0 : (from ?? 0));
    yield* this.walk(rows, Math.min(first, end), direction, most);
  }

  async *readAll({ from, direction = 'forwards', maxCount, streamPrefixes }: ReadAllOptions = {}) {
    await this.nextMicrotask();
    const most = checkedCount(maxCount);
    const { rows } = this.store;
    const first = this.indexOf(from ?? (direction === 'forwards' ? 'start' : 'end'));
    const start = direction === 'forwards' ? first : first - 1; // a backward read begins before this index
    yield* this.walk(rows, start, direction, most, streamPrefixes);
  }

  subscribe(options: SubscribeOptions): MemorySubscription {
    const subscription = new MemorySubscription(this.store, options, this.isClosed, () =>
      this.subscriptions.delete(subscription),
    );
    this.subscriptions.add(subscription);
    return subscription;
  }

  async head() {
    await this.nextMicrotask();
    return positionOf(BigInt(this.store.rows.length));
  }

  async identity() {
    await this.nextMicrotask();
    return this.store.id;
  }

  async lag(from: string) {
    await this.nextMicrotask();
    return Math.max(0, this.store.rows.length - Number(positionNumber(from)));
  }

  close() {
    this.isClosed = true;
    for (const subscription of this.subscriptions) subscription.end();
    return Promise.resolve();
  }

  private decideAndWrite(stream: string, content: readonly SerializedEvent[], expected: AppendOptions['expected']) {
    const rows = this.store.streams.get(stream) ?? [];
    const current = BigInt(rows.length - 1);
    const decision = decideAppend({
      current,
      expected,
      ids: content.map(({ id }) => id),
      storedIdAt: (revision) => rows[Number(revision)]?.id,
      recentRevisionOf: (id) => this.recent.revisionOf(stream, id),
    });
    if (decision.kind === 'conflict') throw new Conflict(stream, expected, rows.length === 0 ? 'no_stream' : current);
    if (decision.kind === 'write') this.write(stream, content, rows);
    const { revision, position } = decision.kind === 'write' ? rows.at(-1)! : rows[Number(decision.revision)]!;
    return { revision, position, repeated: decision.kind === 'repeated' };
  }

  private write(stream: string, content: readonly SerializedEvent[], rows: MemoryRow[]): void {
    this.store.streams.set(stream, rows);
    for (const event of content) {
      const revision = BigInt(rows.length);
      const row = {
        ...event,
        stream,
        revision,
        position: positionOf(BigInt(this.store.rows.length + 1)),
        created: new Date(),
      };
      rows.push(row);
      this.store.rows.push(row);
      this.recent.add(stream, event.id, revision);
    }
    for (const wake of this.store.wakers) wake();
  }

  /** Yields the rows that exist when the reading begins. The read ends early when the log is closed. */
  private *walk(
    rows: readonly MemoryRow[],
    start: number,
    direction: 'forwards' | 'backwards',
    most: number,
    prefixes?: readonly string[],
  ) {
    const step = direction === 'forwards' ? 1 : -1;
    const end = rows.length;
    let left = most;
    for (let index = start; left > 0 && index >= 0 && index < end; index += step) {
      if (this.isClosed) return;
      const row = rows[index]!;
      if (isSystemEvent(row) || !matchesPrefixes(row.stream, prefixes)) continue;
      left -= 1;
      yield eventFromRow(row);
    }
  }

  /** The index of the event at a position. */
  private indexOf(from: NonNullable<ReadAllOptions['from']>): number {
    if (from === 'start') return 0;
    if (from === 'end') return this.store.rows.length;
    const index = Number(positionNumber(from)) - 1;
    if (index >= this.store.rows.length) return this.store.rows.length; // beyond the end, where no event exists yet
    if (index < 0) throw new LogError('invalid-position', `No event begins at ${from}.`);
    return index;
  }

  /** Every read waits for a microtask first, so that no spec can rely on a synchronous answer. */
  private async nextMicrotask(): Promise<void> {
    this.refuseIfClosed();
    await Promise.resolve();
  }

  private refuseIfClosed(): void {
    if (this.isClosed) throw new LogError('closed', 'This event log was closed.');
  }
}
