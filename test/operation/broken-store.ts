import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyView } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import { ask, askDuring, type Operation, meetingPlaces } from '../crash/callers';
import { expectWholeIn } from '../crash/oracle';
import { type Facade, runningFacade } from '../facade/running';
import { secrets } from '../support/secrets';
import { eventsOf, type Served, serving, settled } from '../support/serving';
import { type TcpProxy, tcpProxy } from '../support/network/tcp-proxy';

/** Callers of a service. The callers record all requests that they send. */
export type Callers = Readonly<{
  /**
   * The callers send requests without a pause while the work runs. Resolves with all requests that the callers have
   * sent.
   */
  during: (work: () => Promise<unknown>) => Promise<readonly Operation[]>;
  /** Resolves when a new request is accepted, with the milliseconds until then. */
  recovered: () => Promise<number>;
  /**
   * Repeats every request that has an idempotency key and an unknown outcome; each must get an outcome. Then checks
   * oracle R (`acceptance.md` 2).
   */
  settle: () => Promise<void>;
}>;

/** A service with a proxy in front of its event store, and its callers. */
export type BehindProxy = Callers &
  Readonly<{
    served: Served;
    facade: Facade;
    proxy: TcpProxy;
    close: () => Promise<void>;
  }>;

export async function serviceBehindProxy(random?: () => number): Promise<BehindProxy> {
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
  const client = { url: served.url, key: await served.key() };
  const places = await meetingPlaces(client, 5);
  const operations: Operation[] = [];

  return {
    during: async (work) => {
      const requests = await askDuring(client, places, work());
      operations.push(...requests);
      return requests;
    },
    recovered: async () => {
      const began = performance.now();
      for (;;) {
        const operation = founding();
        operations.push(operation);
        await ask(client, operation);
        if (operation.outcome === 'acknowledged') return performance.now() - began;
        await pause(50);
      }
    },
    settle: async () => {
      const open = operations.filter(({ outcome, request }) => outcome === 'unknown' && request.key !== undefined);
      for (const operation of open) await ask(client, operation);
      expect(open.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
      await settled(served);
      const events = await eventsOf(served, '');
      await expectWholeIn(
        events.filter(({ stream }) => stream !== 'charter-store'),
        operations,
      );
      const live = await served.charter.view.live();
      const verified = await verifyView(served.charter.log, live!, organizationView);
      expect(verified).toMatchObject({ ok: true, different: 0 });
    },
  };
}

/** A request that never violates a rule. */
function founding(): Operation {
  const name = randomUUID();
  const request = { method: 'POST', path: '/api/v1/organizations', body: { name }, key: randomUUID() };
  return { organization: 'new', facts: [`OrganizationFounded ${name}`], request, outcome: 'unknown' };
}

/**
 * Checks the rules of `acceptance.md` R3: every answer comes within `withinMs` (five seconds in measurements) and has
 * an expected status.
 */
export function expectClearOutcomes(operations: readonly Operation[], withinMs = 5_000): void {
  expect(operations.filter(({ took }) => took! > withinMs)).toEqual([]);
  expect(operations.filter(({ outcome, status }) => outcome === 'odd' || status === 0)).toEqual([]);
}
