export { abortableRead } from './reading/abortable-read';
export { type Envelope, withMonotonicTime } from './command-envelope';
export { concurrencyLimit } from './concurrency-limit';
export { APPEND_BYTES_MAX } from './serialized-event';
export { Conflict, isLogError, LogError } from './errors';
export { eventId, isRandomUuid, uuidv5 } from './event-id';
export { type EventStoreAddress, eventStoreAddress } from './eventstoredb/address';
export { EventStoreLog } from './eventstoredb/eventstore-log';
export { countEventsBy, countFirstEvents, eventAtRevision, lastEventOf } from './reading/last-before';
export { pagesOf } from './reading/pages-of-log';
export {
  type AppendResult,
  type ProjectionCheckpoint,
  type Delivery,
  type EventLog,
  type EventTexts,
  type EventToFold,
  type EventWithTexts,
  type ExpectedRevision,
  type Json,
  type NewEvent,
  EMPTY_LOG_POSITION,
  POSITION_MAX,
  type Position,
  positionOf,
  type StoredEvent,
  type ReadStreamOptions,
  type StreamReader,
  type StreamReaderWithTexts,
  type SubscribeOptions,
  type TransactionLimits,
} from './port';
export { readSince } from './reading/read-since';
export { pagesWithTexts } from './reading/pages-with-texts';
export { recordedEvent, type Upcasting } from './recorded-event';
export { backUp } from './sqlite/backup';
export { createFolder } from './sqlite/create-folder';
export { putTextInPlace } from './sqlite/put-in-place';
export { takeServerLock } from './sqlite/server-lock';
export { SqliteLog } from './sqlite/sqlite-log';
export { StoreRefused } from './store-refused';
export { contentOf, hasMetadata, metadataOf, parseEventText, unreadableEvent } from './unreadable-event';
export { MemoryLog } from './testing/memory-log';
export { memoryStore } from './testing/memory-store';
