export { abortableRead } from './abortable-read';
export { type AppendQuestion, type AppendDecision, decideAppend, recentIds, type RecentIds } from './append-rule';
export { type Envelope, withMonotonicTime } from './command-envelope';
export { eventBytes, fitsIn64Bits, APPEND_BYTES_MAX, serializeEvents, type SerializedEvent } from './serialized-event';
export { Conflict, isLogError, LogError, type LogErrorKind } from './errors';
export { eventId, isRandomUuid, uuidv5 } from './event-id';
export { type EventStoreAddress, eventStoreAddress, hostsOf } from './eventstoredb/address';
export { EventStoreLog, type EventStoreOptions } from './eventstoredb/eventstore-log';
export { countEventsBy, lastEventOf } from './last-before';
export { pagesOf } from './pages-of-log';
export {
  type ReadAllOptions,
  type AppendResult,
  type AppendOptions,
  type ProjectionCheckpoint,
  type Delivery,
  type EventLog,
  type ExpectedRevision,
  type Json,
  type NewEvent,
  EMPTY_LOG_POSITION,
  type Position,
  positionOf,
  type StoredEvent,
  type ReadStreamOptions,
  type StreamReader,
  type SubscribeOptions,
} from './port';
export { checkedCount, checkedRevision, matchesPrefixes, isSystemEvent, positionNumber } from './read-rule';
export { readSince } from './read-since';
export { recordedEvent, type Upcasting } from './recorded-event';
export { backUp } from './sqlite/backup';
export { takeServerLock } from './sqlite/server-lock';
export { SqliteLog } from './sqlite/sqlite-log';
export { StoreRefused } from './store-refused';
export { MemoryLog } from './testing/memory-log';
export { type MemoryStore, memoryStore } from './testing/memory-store';
