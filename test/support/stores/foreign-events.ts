import { randomUUID } from 'node:crypto';
import { sealEvents, ZERO_HASH } from '@charter/integrity';
import { operator } from '../../../libs/organization/src/testing/organization.testing';
import { eventsOf, type Served } from '../serving';

/**
 * Appends an event as another writer or a newer release does: sealed, at the end of its stream, with any type and
 * data.
 */
export async function appendForeign(
  served: Served,
  stream: string,
  event: Readonly<{ type: string; data: object }>,
  schema = 1,
): Promise<void> {
  const last = (await eventsOf(served, stream)).at(-1);
  const { at, hash } = (last?.metadata ?? firstOf(served)) as { at: string; hash: string };
  const revision = Number(last?.revision ?? -1);
  const command = randomUUID();
  const by = { actor: operator, at, command, correlation: command, causation: command };
  const sealed = sealEvents([event], stream, { revision, at, hash }, by, { [event.type]: schema });
  await served.charter.log.append(
    stream,
    sealed.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
    { expected: revision < 0 ? 'no_stream' : BigInt(revision) },
  );
}

const firstOf = ({ clock }: Served) => ({ at: new Date(clock.now()).toISOString(), hash: ZERO_HASH });
