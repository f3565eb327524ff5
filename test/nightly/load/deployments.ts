import type { StoredEvent } from '@charter/event-log';
import { CommandLine } from '../../cli/command-line';
import type { Operation } from '../../crash/callers';
import { expectEqualReadModel, expectWhole } from '../../crash/oracle';
import { started } from '../../crash/server';
import { expectWhole as expectWholeOn } from '../../processes/observing';
import { several } from '../../support/network/processes';
import { eventsOf } from '../../support/serving';

/** The built service at one or more addresses, with an API key for the requests of a load. */
export type Deployment = Readonly<{
  urls: readonly string[];
  key: string;
  /** The process at the first address. */
  pid: number;
  /** Checks oracle R (`acceptance.md`) for these requests, and that the read model equals a replay. */
  expectWhole: (operations: readonly Operation[]) => Promise<void>;
  /** All events of this organization, in order. */
  eventsOf: (organization: string) => Promise<readonly StoredEvent[]>;
  end: () => Promise<void>;
}>;

const SCOPES = 'organizations:read,organizations:write,organizations:operate';

/** One process on the embedded stores. */
export async function embedded(): Promise<Deployment> {
  const charter = new CommandLine();
  const { key } = (await charter.json('keys', 'create', '--name', 'load', '--scopes', SCOPES)).answer;
  const { url, pid, kill } = await started(charter);
  return {
    ...{ urls: [url], key, pid },
    expectWhole: async (operations) => {
      await expectWhole(charter, operations);
      await expectEqualReadModel(charter, 'complete');
    },
    eventsOf: (id) => charter.inside((inside) => eventsOf({ charter: inside }, `organization-${id}`)),
    end: async () => {
      await kill();
      charter.remove();
    },
  };
}

/** Two processes on the façade and PostgreSQL. */
export async function twoProcesses(): Promise<Deployment> {
  const all = await several();
  const running = await Promise.all([all.start(), all.start()]);
  return {
    ...{ urls: running.map(({ url }) => url), key: await all.key(), pid: running[0].pid },
    expectWhole: (operations) => expectWholeOn(all, operations),
    eventsOf: (id) => eventsOf(all, `organization-${id}`),
    end: all.end,
  };
}
