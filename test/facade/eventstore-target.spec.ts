import { eventStoreAddress } from '@charter/event-log';
import { containerFrom, kindFrom } from './eventstore-target';

describe('what the suites of EventStoreDB run against', () => {
  const [engine, none] = [() => true, () => false];

  it('is the server that is named, else one that an engine starts, else the façade', () => {
    expect(kindFrom({ EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false' }, engine)).toBe('named');
    expect(kindFrom({ EVENTSTORE_URL: '' }, engine)).toBe('container');
    expect(kindFrom({}, engine)).toBe('container');
    expect(kindFrom({}, none)).toBe('facade');
  });

  it('is asked of no engine when a server is named', () => {
    const never = () => {
      throw new Error('It was asked.');
    };
    expect(kindFrom({ EVENTSTORE_URL: 'esdb://a.example' }, never)).toBe('named');
  });

  it('is, in a container, one node of the image that is named, at an address that Charter takes', () => {
    const { image, port, environment, urlAt } = containerFrom({ EVENTSTORE_IMAGE: 'kurrentplatform/kurrentdb:25.0' });
    expect([image, port]).toEqual(['kurrentplatform/kurrentdb:25.0', 2113]);
    expect(environment).toEqual({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_CLUSTER_SIZE: '1',
      KURRENTDB_INSECURE: 'true',
      KURRENTDB_CLUSTER_SIZE: '1',
    });
    expect(containerFrom({}).image).toMatch(/^eventstore\/eventstore:/);
    expect(eventStoreAddress(urlAt('localhost', 32_768)).hosts).toEqual([{ address: 'localhost', port: 32_768 }]);
  });
});
