import { createRequire } from 'node:module';
import { thrownByHandler } from './failures.mjs';

const require = createRequire(import.meta.url);
const generated = (name) => require(`@eventstore/db-client/generated/${name}`);

const streams = generated('streams_pb');
const shared = generated('shared_pb');
const gossip = generated('gossip_pb');
const features = generated('serverfeatures_pb');
export const services = {
  streams: generated('streams_grpc_pb').StreamsService,
  gossip: generated('gossip_grpc_pb').GossipService,
  features: generated('serverfeatures_grpc_pb').ServerFeaturesService,
};

/**
 * The distance between two positions. Positions of a real server are offsets in a file. The façade's positions also
 * have gaps, so that no client can count events with positions.
 */
const SPARSE = 100n;
export const commitOf = (position) => String(BigInt(position) * SPARSE);
/** The position in the embedded log; undefined if no event begins at this commit position. */
export const positionAt = (commit) =>
  BigInt(commit) % SPARSE === 0n ? String(BigInt(commit) / SPARSE).padStart(20, '0') : undefined;

/**
 * The prefix that the façade puts before names with a leading dollar. A server accepts such names, but the embedded log
 * refuses them.
 */
const HIDDEN = 'system:';
export const hidden = (name) => (name.startsWith('$') ? HIDDEN + name : name);
export const shown = (name) => (name.startsWith(`${HIDDEN}$`) ? name.slice(HIDDEN.length) : name);

/**
 * On a server, the tombstone of a stream is the last possible event of the stream. The façade stores the tombstone as
 * the only event of another stream, whose name begins with this text.
 */
export const TOMBSTONES = `${HIDDEN}tombstone:`;
const LAST_REVISION = String(2n ** 63n - 1n);
/** The name of the event's stream, as a client sees it. */
export const streamOf = ({ stream }) => shown(stream.startsWith(TOMBSTONES) ? stream.slice(TOMBSTONES.length) : stream);

/** The stream name in a request. @throws a failure if the name is empty */
export function nameOf(identifier) {
  const name = Buffer.from(identifier.getStreamName_asU8()).toString('utf8');
  if (name === '') throw thrownByHandler("'streamId' argument should not be null or empty.");
  return hidden(name);
}
const identifierOf = (stream) =>
  new shared.StreamIdentifier().setStreamName(Uint8Array.from(Buffer.from(stream, 'utf8')));

/** The event in the message of an append request. @throws a failure for an event without an id or a type */
export function proposedEvent(message) {
  const fields = message.getMetadataMap();
  const id = message.getId().getString();
  const type = fields.get('type');
  if (!UUID.test(id) || id === NO_ID) throw thrownByHandler("Should be non-empty GUID. (Parameter 'eventId')");
  if (!type) throw thrownByHandler("'eventType' argument should not be null or empty.");
  return {
    ...{ id, type: hidden(type), isJson: fields.get('content-type') === JSON_CONTENT },
    ...{ data: message.getData_asU8(), metadata: message.getCustomMetadata_asU8() },
  };
}
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NO_ID = '00000000-0000-0000-0000-000000000000';
const JSON_CONTENT = 'application/json';

/** An event in the answer of a read or a subscription. `garbled`: the answer contains data that is not JSON. */
export function readEvent(event, contents, garbled = false) {
  const commit = commitOf(event.position);
  const isTombstone = event.stream.startsWith(TOMBSTONES);
  const { bytes, isJson } = contents.unpacked(event.data);
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(identifierOf(streamOf(event)))
    .setStreamRevision(isTombstone ? LAST_REVISION : String(event.revision))
    .setCommitPosition(commit)
    .setPreparePosition(commit)
    .setData(garbled ? Uint8Array.from(Buffer.from('{"name":')) : Uint8Array.from(bytes));
  if (event.metadata !== undefined)
    recorded.setCustomMetadata(Uint8Array.from(contents.unpacked(event.metadata).bytes));
  recorded
    .getMetadataMap()
    .set('type', shown(event.type))
    .set('content-type', isJson ? JSON_CONTENT : 'application/octet-stream')
    .set('created', String(BigInt(event.created.getTime()) * 10_000n));
  return new streams.ReadResp().setEvent(new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(commit));
}

export const notFound = (stream) =>
  new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(shown(stream))),
  );
export const confirmation = (id) =>
  new streams.ReadResp().setConfirmation(new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(id));
export const caughtUp = () => new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());
export const checkpoint = (commit) =>
  new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint().setCommitPosition(commit).setPreparePosition(commit),
  );

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
