import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyView } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import { ask, askDuring, type Deed, meetingPlaces } from '../crash/callers';
import { expectWholeIn } from '../crash/oracle';
import { type Facade, runningFacade } from '../facade/running';
import { secrets } from '../support/secrets';
import { eventsOf, type Served, serving, settled } from '../support/serving';
import { type TcpProxy, tcpProxy } from '../support/network/tcp-proxy';

/** Callers of a service, and all that they ever asked of it. */
export type Callers = Readonly<{
  /** Callers ask without a pause while this goes on. Answers with what they asked for in that time. */
  during: (work: () => Promise<unknown>) => Promise<readonly Deed[]>;
  /** Milliseconds until something new is accepted again. */
  recovered: () => Promise<number>;
  /** Whoever was told that it may have happened asks again, and is told what became of it; then oracle R. */
  settle: () => Promise<void>;
}>;

/** A service whose event store can be made hard to reach, and its callers. */
export type Troubled = Callers &
  Readonly<{
    served: Served;
    facade: Facade;
    proxy: TcpProxy;
    close: () => Promise<void>;
  }>;

export async function troubled(random?: () => number): Promise<Troubled> {
  const facade = await runningFacade();
  const proxy = await tcpProxy(facade.port, random);
  const served = await serving({
    environment: { ...secrets, EVENT_LOG: `esdb://127.0.0.1:${proxy.port}?tls=false`, RATE_LIMITS: 'off' },
  });
  return {
    ...(await callersOf(served)),
    served,
    facade,
    proxy,
    close: async () => {
      await proxy.mend();
      await served.close();
      await proxy.close();
      await facade.remove();
    },
  };
}

export async function callersOf(served: Served): Promise<Callers> {
  const asking = { url: served.url, key: await served.key() };
  const places = await meetingPlaces(asking, 5);
  const deeds: Deed[] = [];

  return {
    during: async (work) => {
      const asked = await askDuring(asking, places, work());
      deeds.push(...asked);
      return asked;
    },
    recovered: async () => {
      const began = performance.now();
      for (;;) {
        const deed = founding();
        deeds.push(deed);
        await ask(asking, deed);
        if (deed.outcome === 'acknowledged') return performance.now() - began;
        await pause(50);
      }
    },
    settle: async () => {
      const open = deeds.filter(({ outcome, request }) => outcome === 'unknown' && request.key !== undefined);
      for (const deed of open) await ask(asking, deed);
      expect(open.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
      await settled(served);
      const events = await eventsOf(served, '');
      await expectWholeIn(
        events.filter(({ stream }) => stream !== 'charter-store'),
        deeds,
      );
      const live = await served.charter.view.live();
      const verified = await verifyView(served.charter.log, live!, organizationView);
      expect(verified).toMatchObject({ ok: true, different: 0 });
    },
  };
}

/** Something that can always be done. */
function founding(): Deed {
  const name = randomUUID();
  const request = { method: 'POST', path: '/api/v1/organizations', body: { name }, key: randomUUID() };
  return { organization: 'new', facts: [`OrganizationFounded ${name}`], request, outcome: 'unknown' };
}

/**
 * What `acceptance.md` R3 allows: every answer in time, five seconds where that is measured, and a plain word about what
 * became of it.
 */
export function expectHonest(deeds: readonly Deed[], withinMs = 5_000): void {
  expect(deeds.filter(({ took }) => took! > withinMs)).toEqual([]);
  expect(deeds.filter(({ outcome, status }) => outcome === 'odd' || status === 0)).toEqual([]);
}
