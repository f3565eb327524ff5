import { MemoryLog } from '@charter/event-log';
import { describeEventLog } from './event-log.contract';

const stores = new Map<unknown, MemoryLog['store']>();

function onStore(store?: MemoryLog['store']) {
  const log = new MemoryLog(store);
  stores.set(log, log.store);
  return Promise.resolve(log);
}

describeEventLog('memory', () => onStore(), {
  empty: () => onStore(),
  reopen: async (log) => {
    await log.close();
    return onStore(stores.get(log));
  },
  beside: (log) => onStore(stores.get(log)),
});
