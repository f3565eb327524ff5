export { type AggregateOptions, type Aggregates, aggregates } from './aggregates';
export { NotAsSeen, type Preview, type Receipt, Refused, UnknownRevision, Unreadable } from './receipts';
export type { Extent, Until, Visit } from './replay';
export { chosenBy, type Order, readStretch, type Stretch, stretchOf } from './revision-range';
export { Overloaded } from './stream-queue';
