import { createRequire } from 'node:module';
import { APPEND_DATA_MAX, deadlineExceeded, tooLarge } from './failures.mjs';
import { commitOf } from './messages.mjs';

const require = createRequire(import.meta.url);
const streams = require('@eventstore/db-client/generated/streams_pb');
const shared = require('@eventstore/db-client/generated/shared_pb');
const { Status } = require('@eventstore/db-client/generated/status_pb');
const { Any } = require('google-protobuf/google/protobuf/any_pb.js');
const wellKnown = require('google-protobuf/google/protobuf/empty_pb.js');

/**
 * The answer to an append. The answer has no position if nothing was written, and no revision if the stream does not
 * exist.
 */
export function appended({ revision, position }) {
  const success = new streams.AppendResp.Success();
  if (revision < 0n) success.setNoStream(new shared.Empty());
  else success.setCurrentRevision(String(revision));
  if (position === undefined) success.setNoPosition(new shared.Empty());
  else success.setPosition(placeIn(streams.AppendResp.Position, position));
  return new streams.AppendResp().setSuccess(success);
}

const placeIn = (Place, position) =>
  new Place().setCommitPosition(commitOf(position)).setPreparePosition(commitOf(position));

export function removed(isForEver, position) {
  const Reply = isForEver ? streams.TombstoneResp : streams.DeleteResp;
  return new Reply().setPosition(placeIn(Reply.Position, position));
}

export function wrongExpectedVersion({ expected, actual }) {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (actual === 'no_stream') wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(actual));
  if (typeof expected === 'bigint') wrong.setExpectedRevision(String(expected));
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new shared.Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new shared.Empty());
  else wrong.setExpectedAny(new shared.Empty());
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
}

/** The answer to one append of a call that carries several appends. */
export function batchAppended(correlation, identifier, outcome) {
  const answer = new streams.BatchAppendResp().setCorrelationId(correlation).setStreamIdentifier(identifier);
  if (outcome.error) return answer.setError(statusOf(outcome.error, identifier));
  const { revision, position } = outcome;
  const success = new streams.BatchAppendResp.Success();
  if (revision < 0n) success.setNoStream(new wellKnown.Empty());
  else success.setCurrentRevision(String(revision));
  if (position === undefined) success.setNoPosition(new wellKnown.Empty());
  else success.setPosition(placeIn(shared.AllStreamPosition, position));
  return answer.setSuccess(success);
}

function statusOf(error, identifier) {
  const [name, content] = detailsOf(error, identifier);
  const details = new Any();
  details.pack(content.serializeBinary(), `event_store.client.${name}`);
  return new Status().setMessage(error.reason ?? error.message ?? name).setDetails(details);
}

function detailsOf(error, identifier) {
  if (error.kind === 'conflict') return ['WrongExpectedVersion', expectedVersion(error)];
  if (error.reason) return ['BadRequest', new shared.BadRequest().setMessage(error.reason)];
  if (error === deadlineExceeded) return ['Timeout', new shared.Timeout()];
  if (error === tooLarge)
    return ['MaximumAppendSizeExceeded', new shared.MaximumAppendSizeExceeded().setMaxappendsize(APPEND_DATA_MAX)];
  if (error.fields?.exception === 'stream-deleted')
    return ['StreamDeleted', new shared.StreamDeleted().setStreamIdentifier(identifier)];
  return ['Unknown', new shared.Unknown()];
}

function expectedVersion({ expected, actual }) {
  const wrong = new shared.WrongExpectedVersion();
  if (actual === 'no_stream') wrong.setCurrentNoStream(new wellKnown.Empty());
  else wrong.setCurrentStreamRevision(String(actual));
  if (typeof expected === 'bigint') return wrong.setExpectedStreamPosition(String(expected));
  if (expected === 'no_stream') return wrong.setExpectedNoStream(new wellKnown.Empty());
  if (expected === 'stream_exists') return wrong.setExpectedStreamExists(new wellKnown.Empty());
  return wrong.setExpectedAny(new wellKnown.Empty());
}
