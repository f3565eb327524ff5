export { watched } from './abortable-read';
export { type AppendQuestion, type AppendVerdict, decideAppend, recentIds, type RecentIds } from './append-rule';
export { type Envelope, inOrder } from './command-envelope';
export { bytesOf, isRevision, mostBytes, serialized, type Serialized } from './content';
export { Conflict, isLogError, LogError, type LogErrorClass } from './errors';
export { eventId, isRandom, uuidv5 } from './event-id';
export { type EventStoreAddress, eventStoreAddress, hostsOf } from './eventstoredb/address';
export { EventStoreLog, type EventStoreOptions } from './eventstoredb/eventstore-log';
export { countBy, lastOf } from './last-before';
export { pagesOf } from './pages-of-log';
export {
  type AllRead,
  type Appended,
  type AppendOptions,
  type Checkpoint,
  type Delivery,
  type EventLog,
  type Expected,
  type Json,
  type NewEvent,
  nowhere,
  type Position,
  positionOf,
  type StoredEvent,
  type StreamRead,
  type StreamReading,
  type Subscribe,
} from './port';
export { checkedCount, checkedRevision, isAskedFor, isSystem, placeOf } from './read-rule';
export { readSince } from './read-since';
export { recordedBy, type Upcasting } from './recorded-event';
export { backUp } from './sqlite/backup';
export { takeServerLock } from './sqlite/server-lock';
export { SqliteLog } from './sqlite/sqlite-log';
export { StoreRefused } from './store-refused';
export { MemoryLog } from './testing/memory-log';
export { type MemoryStore, memoryStore } from './testing/memory-store';
