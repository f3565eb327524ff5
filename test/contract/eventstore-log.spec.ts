import type { EventLog } from '@charter/event-log';
import { against, kind, openedLog, startedTarget, type Target } from '../facade/eventstore-target';
import { describeEventLog } from './event-log.contract';
import type { Capabilities } from './event-log/under-test';

let target: Target;
beforeAll(async () => void (target = await startedTarget()), 120_000);
afterAll(() => target.stop());

const open = (): Promise<EventLog> => openedLog(target.url);

/** Abilities that only the façade has, because a test cannot make a real server fail. */
const abused: Capabilities =
  kind === 'facade'
    ? {
        freeze: async () => {
          target.facade!.freeze();
          return async () => target.facade!.thaw();
        },
        cut: async () => {
          await target.facade!.order('cut');
        },
      }
    : {};

describeEventLog(against, open, {
  ...abused,
  reopen: async (log) => {
    await log.close();
    return open();
  },
  beside: () => openedLog(target.url, 'beside'),
  sparse: true,
});
