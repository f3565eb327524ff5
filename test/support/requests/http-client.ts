import { clockFrom, type Served, serving } from '../serving';

/** For all specs of a file: a service whose clock is moved by hand, and a key that may ask for everything. */
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
