import { appending } from './event-log/appending';
import { failing } from './event-log/failing';
import { limits } from './event-log/limits';
import { order } from './event-log/order';
import { reading } from './event-log/reading';
import { type Capabilities, type Open, underTest } from './event-log/under-test';
import { subscribing } from './event-log/subscribing';

/**
 * The contract of every event log. `event-log.md` A10 numbers these tests. The store may contain other streams, and
 * other writers may append at the same time, so every test uses new streams.
 */
export function describeEventLog(name: string, open: Open, capabilities: Capabilities = {}): void {
  describe(`The event log on ${name}`, () => {
    const log = underTest(open, capabilities);
    appending(log); // tests 1 to 5
    order(log); // tests 6 and 7
    reading(log); // tests 8 and 9
    subscribing(log); // tests 10 and 11
    limits(log); // tests 12 to 14
    failing(log); // tests 15 and 16
  });
}
