import { eventStoreAddress } from '@charter/event-log';
import { containerFrom, kindFrom } from './eventstore-target';

describe('The target of the EventStoreDB suites', () => {
  const [engine, none] = [() => true, () => false];

  it('is the server in EVENTSTORE_URL; without this setting, a container; without a container engine, the façade', () => {
    expect(kindFrom({ EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false' }, engine)).toBe('named');
    expect(kindFrom({ EVENTSTORE_URL: '' }, engine)).toBe('container');
    expect(kindFrom({}, engine)).toBe('container');
    expect(kindFrom({}, none)).toBe('facade');
  });

  it('needs no container engine when the environment names a server', () => {
    const never = () => {
      throw new Error('It was asked.');
    };
    expect(kindFrom({ EVENTSTORE_URL: 'esdb://a.example' }, never)).toBe('named');
  });

  it('can be a container: one node of the image in EVENTSTORE_IMAGE, at an address that Charter accepts', () => {
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
