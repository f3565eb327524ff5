import { openDatabase, postgresAddress } from '@charter/database';
import { type EventLog, EventStoreLog, eventStoreAddress } from '@charter/event-log';
import fc from 'fast-check';
import { type Facade, runningFacade } from '../../facade/running';
import { anySteps, expectTheReplay, type Ground } from '../../projections/interleaving';
import { expectOneParked, poisons } from '../../projections/poison';
import { seed } from '../../projections/seed';
import { type Postgres, postgres } from '../../support/stores/postgres';
import { times } from '../length';

/** Each projector has separate connections to the façade and to a real PostgreSQL. */
let facade: Facade;
let server: Postgres;
beforeAll(async () => {
  [facade, server] = await Promise.all([runningFacade(), postgres()]);
}, 120_000);
afterAll(async () => {
  await facade.remove();
  await server.stop();
});

async function freshGround(): Promise<Ground & { close: () => Promise<void> }> {
  await facade.exchange();
  const opened: { close: () => Promise<void> }[] = [];
  const tracked = <One extends { close: () => Promise<void> }>(one: One): One => {
    opened.push(one);
    return one;
  };
  const address = postgresAddress(await server.fresh());
  const openLog = async (): Promise<EventLog> =>
    tracked(await EventStoreLog.open({ address: eventStoreAddress(facade.url), role: 'server' }));
  return {
    openLog,
    openDocuments: async () => tracked(await openDatabase({ server: address })),
    close: async () => {
      for (const one of opened.reverse()) await one.close();
    },
  };
}

it('O1, O2, O3, O9, P3: The read model over the façade and PostgreSQL equals a replay of the log, for every tested order of the steps', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const { close, ...ground } = await freshGround();
      await expectTheReplay(ground, steps).finally(close);
    }),
    { numRuns: times(8, 300), seed, endOnFailure: true },
  );
});

it.each(poisons)(
  'P1, P2, P4, P7: Over the façade and PostgreSQL, %s parks only its own organization',
  async (_, bad) => {
    const { close, ...ground } = await freshGround();
    await expectOneParked(await ground.openLog(), await ground.openDocuments(), bad).finally(close);
  },
);
