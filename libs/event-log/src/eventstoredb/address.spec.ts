import { StoreRefused } from '../store-refused';
import { eventStoreAddress, hostsOf } from './address';

const refusal = (text: string, options = {}): string => {
  try {
    eventStoreAddress(text, options);
  } catch (error) {
    if (error instanceof StoreRefused) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('EventStoreDB address', () => {
  it('has a host and a user, and uses TLS and port 2113 by default', () => {
    expect(eventStoreAddress('esdb://ada:p%40ss%3Aw%2Frd@events.example')).toEqual({
      isDiscovered: false,
      hosts: [{ address: 'events.example', port: 2113 }],
      user: { username: 'ada', password: 'p@ss:w/rd' },
      isSecure: true,
      files: {},
      numbers: {},
    });
  });

  it('may name several hosts, or one host from which the client discovers the other hosts', () => {
    const several = eventStoreAddress('esdb://ada:secret@a.example,b.example:2114,[::1]:2115/');
    expect(hostsOf(several)).toBe('a.example:2113, b.example:2114, [::1]:2115');
    expect(eventStoreAddress('esdb+discover://ada:secret@cluster.example').isDiscovered).toBe(true);
  });

  it('accepts the names of settings in upper and lower case', () => {
    const text = 'esdb://localhost?TLS=false&keepaliveinterval=20000&DefaultDeadline=900&nodePreference=leader';
    expect(eventStoreAddress(text)).toMatchObject({
      isSecure: false,
      user: undefined,
      numbers: { keepAliveInterval: 20_000, defaultDeadline: 900 },
    });
    const files = eventStoreAddress(
      'esdb://ada:secret@a.example?tlsCAFile=%2Fetc%2Fca.pem&connectionName=charter',
    ).files;
    expect(files).toEqual({ tlsCAFile: '/etc/ca.pem' });
  });

  it.each([
    ['kurrentdb://ada:secret@a.example', /write esdb:/],
    ['http://ada:secret@a.example', /must be esdb:/],
    ['esdb://', /must be esdb:/],
    ['esdb://ada:secret@', /must be esdb:/],
    ['esdb://ada:secret@word@a.example', /must be esdb:.*percent-encoded/],
    ['esdb://ada:secret@a.example?throwOnAppendFailure=false', /refused appends would look like appends/],
    ['esdb://ada:secret@a.example?tlsVerifyCert=false', /tlsCAFile/],
    ['esdb://ada:secret@a.example?tls=no', /tls=true or tls=false/],
    ['esdb://ada:secret@a.example?nodePreference=follower', /leader/],
    ['esdb://ada:secret@a.example?colour=red', /does not know/],
    ['esdb://ada:secret@a.example?gossipTimeout=soon', /whole number/],
    ['esdb://ada:secret@a.example?userCertFile=a.pem', /together/],
    ['esdb://ada:secret@a.example:99999', /host:port/],
    ['esdb+discover://ada:secret@a.example,b.example', /one host after esdb\+discover/],
    ['esdb://ada:sec:ret@a.example', /percent-encoded/],
    ['esdb://ada:secret%@a.example', /%25/],
    ['esdb://a.example', /name a user/],
    ['esdb://a.example?tls=false', /EVENT_LOG_ALLOW_INSECURE/],
    ['esdb://127.0.0.1,10.0.0.7?tls=false', /EVENT_LOG_ALLOW_INSECURE/],
    ['esdb://127.0.0.1.example.com?tls=false', /EVENT_LOG_ALLOW_INSECURE/],
  ])('is refused with a message that contains no secret: %s', (text, why) => {
    expect(refusal(text)).toMatch(why);
    expect(refusal(text)).not.toMatch(/secret|sec:ret|red|ada/);
  });

  it.each(['esdb://127.0.0.1:2113?tls=false', 'esdb://localhost?tls=false', 'esdb://[::1]?tls=false'])(
    'needs no TLS for a host on the same machine: %s',
    (text) => expect(refusal(text)).toBe('accepted'),
  );

  it('needs no TLS for another machine when the operator allows it', () => {
    expect(refusal('esdb://10.0.0.7?tls=false', { allowInsecure: true })).toBe('accepted');
  });
});
