import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const generated = (name) => require(`@eventstore/db-client/generated/${name}`);

const streams = generated('streams_pb');
const shared = generated('shared_pb');
const gossip = generated('gossip_pb');
const features = generated('serverfeatures_pb');
const { Status } = generated('status_pb');
const { Any } = require('google-protobuf/google/protobuf/any_pb.js');
const wellKnown = require('google-protobuf/google/protobuf/empty_pb.js');
export const services = {
  streams: generated('streams_grpc_pb').StreamsService,
  gossip: generated('gossip_grpc_pb').GossipService,
  features: generated('serverfeatures_grpc_pb').ServerFeaturesService,
};

/**
 * The distance of two positions. Positions of a real server are offsets in a file; these have gaps, too, so that no
 * client can use them as a count.
 */
const SPARSE = 100n;
const commitOf = (position) => String(BigInt(position) * SPARSE);
/** The position in the embedded log; undefined if no event begins at this commit position. */
export const positionAt = (commit) =>
  BigInt(commit) % SPARSE === 0n ? String(BigInt(commit) / SPARSE).padStart(20, '0') : undefined;

/**
 * Stands for a leading dollar: a server has streams whose names begin with one, and the embedded log refuses such
 * names.
 */
const HIDDEN = 'system:';
const hidden = (name) => (name.startsWith('$') ? HIDDEN + name : name);
export const shown = (name) => (name.startsWith(`${HIDDEN}$`) ? name.slice(HIDDEN.length) : name);

export const nameOf = (identifier) => hidden(Buffer.from(identifier.getStreamName_asU8()).toString('utf8'));
const identifierOf = (stream) =>
  new shared.StreamIdentifier().setStreamName(Uint8Array.from(Buffer.from(shown(stream), 'utf8')));

/** The event in the message of an append request. */
export function newEventOf(message) {
  const fields = message.getMetadataMap();
  const metadata = message.getCustomMetadata_asU8();
  return {
    id: message.getId().getString(),
    type: hidden(fields.get('type')),
    data: jsonIn(message.getData_asU8()),
    ...(metadata.length > 0 && { metadata: jsonIn(metadata) }),
  };
}
const jsonIn = (bytes) => JSON.parse(Buffer.from(bytes).toString('utf8'));
const bytesOf = (content) => Uint8Array.from(Buffer.from(JSON.stringify(content), 'utf8'));

/** An event in the answer of a read or a subscription; `garbled`: with data that is not JSON. */
export function readEvent(event, garbled = false) {
  const commit = commitOf(event.position);
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(identifierOf(event.stream))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(commit)
    .setPreparePosition(commit)
    .setData(garbled ? Uint8Array.from(Buffer.from('{"name":')) : bytesOf(event.data));
  if (event.metadata !== undefined) recorded.setCustomMetadata(bytesOf(event.metadata));
  recorded
    .getMetadataMap()
    .set('type', shown(event.type))
    .set('content-type', 'application/json')
    .set('created', String(BigInt(event.created.getTime()) * 10_000n));
  return new streams.ReadResp().setEvent(new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(commit));
}

export const notFound = (stream) =>
  new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(stream)),
  );
export const confirmation = (id) =>
  new streams.ReadResp().setConfirmation(new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(id));
export const caughtUp = () => new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());
export const checkpoint = (position) =>
  new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint().setCommitPosition(commitOf(position)).setPreparePosition(commitOf(position)),
  );

/** The answer to an append. It has no position if the events were written before their stream was deleted. */
export function appended({ revision, position }) {
  const success = new streams.AppendResp.Success().setCurrentRevision(String(revision));
  if (position === undefined) success.setNoPosition(new shared.Empty());
  else
    success.setPosition(
      new streams.AppendResp.Position().setCommitPosition(commitOf(position)).setPreparePosition(commitOf(position)),
    );
  return new streams.AppendResp().setSuccess(success);
}

export const removed = (isForEver) =>
  new (isForEver ? streams.TombstoneResp : streams.DeleteResp)().setNoPosition(new shared.Empty());

export function wrongExpectedVersion({ expected, actual }) {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (actual === 'no_stream') wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(actual));
  if (typeof expected === 'bigint') wrong.setExpectedRevision(String(expected));
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new shared.Empty());
  else wrong.setExpectedStreamExists(new shared.Empty());
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
}

/** The answer to one append of a call that carries several appends. */
export function batchAppended(correlation, identifier, outcome) {
  const answer = new streams.BatchAppendResp().setCorrelationId(correlation).setStreamIdentifier(identifier);
  if (outcome.error) return answer.setError(statusOf(outcome.error));
  const commit = commitOf(outcome.position);
  const place = new shared.AllStreamPosition().setCommitPosition(commit).setPreparePosition(commit);
  const success = new streams.BatchAppendResp.Success().setCurrentRevision(String(outcome.revision)).setPosition(place);
  return answer.setSuccess(success);
}

function statusOf(error) {
  const details = new Any();
  if (error.kind === 'conflict') {
    const wrong = new shared.WrongExpectedVersion();
    if (error.actual === 'no_stream') wrong.setCurrentNoStream(new wellKnown.Empty());
    else wrong.setCurrentStreamRevision(String(error.actual));
    if (typeof error.expected === 'bigint') wrong.setExpectedStreamPosition(String(error.expected));
    details.pack(wrong.serializeBinary(), 'event_store.client.WrongExpectedVersion');
  } else details.pack(new shared.Unknown().serializeBinary(), 'event_store.client.Unknown');
  return new Status().setMessage(error.message).setDetails(details);
}

export function supportedMethods(version) {
  const method = (name, list = []) =>
    new features.SupportedMethod()
      .setMethodName(name)
      .setServiceName('event_store.client.streams.streams')
      .setFeaturesList(list);
  return new features.SupportedMethods()
    .setEventStoreServerVersion(version)
    .setMethodsList([method('batchappend'), method('read', ['position', 'events'])]);
}

/** The answer about the cluster: its leader and its followers. `isAlive: false`: the member is down. */
export function clusterOf(members) {
  const states = { leader: 8, follower: 6 };
  return new gossip.ClusterInfo().setMembersList(
    members.map(({ port, state = 'leader', isAlive = true }) =>
      new gossip.MemberInfo()
        .setInstanceId(new shared.UUID().setString(`5f1c6b0e-4a4f-4a0e-9a54-${String(port).padStart(12, '0')}`))
        .setTimeStamp(String(Date.now() * 10_000))
        .setState(states[state])
        .setIsAlive(isAlive)
        .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port)),
    ),
  );
}
