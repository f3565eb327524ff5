import type { EventLog } from '@charter/event-log';
import type { Stores } from '../serving';

/** The same object with these functions replaced. */
export const withFaults = <Thing extends object>(thing: Thing, faults: Partial<Thing>): Thing =>
  new Proxy(thing, {
    get: (target, name) => {
      if (Object.hasOwn(faults, name)) return Reflect.get(faults, name) as unknown;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });

/** Stores with faults in the event log, or in `database.receipts`. */
export const faulty =
  (faults: { log?: Partial<EventLog>; receipts?: Partial<Stores['database']['receipts']> }) =>
  ({ catalogue, log, database }: Stores): Stores => ({
    catalogue,
    log: withFaults(log, faults.log ?? {}),
    database: { ...database, receipts: withFaults(database.receipts, faults.receipts ?? {}) },
  });
