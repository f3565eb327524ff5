import { clockFrom, type Served, serving } from '../serving';

/**
 * Starts one service for all tests of a file, and calls `begun` with the service and an API key that has every scope.
 * The tests can move the clock of the service.
 */
export function serviceForSpecs(begun: (served: Served, key: string) => void): Served['ask'] {
  let [served, key]: [Served | undefined, string] = [undefined, ''];
  beforeAll(async () => {
    served = await serving({ clock: clockFrom() });
    key = await served.key();
    begun(served, key);
  });
  afterAll(() => served?.close());
  return (method, at, sent = {}) => served!.ask(method, at, { key, ...sent });
}
