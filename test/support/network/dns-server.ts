import { createSocket, type Socket } from 'node:dgram';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type Answer, decode, encode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet';

/** A DNS server on loopback, over UDP and TCP, with records and faults that a spec chooses. */
export type DnsServer = Readonly<{
  /** The address for the setting DNS_SERVERS. */
  address: string;
  /** From now on the name has these TXT records, and no alias. */
  publish: (name: string, ...texts: string[]) => void;
  /** From now on the name is an alias of another name. */
  alias: (name: string, target: string) => void;
  /** From now on the name has no record. */
  withdraw: (name: string) => void;
  /** From now on the server gives this fault for the name. */
  failsAt: (name: string, fault: DnsFault) => void;
  /** The names of all queries, in order. */
  asked: readonly string[];
  close: () => Promise<void>;
}>;

/**
 * `silent`: no answer. `broken`: the status SERVFAIL. `lying`: TXT records without the question, with a foreign id.
 * `aliased`: TXT records beside an alias of the name.
 */
type DnsFault = 'silent' | 'broken' | 'lying' | 'aliased';

type Records = Readonly<{ alias: string } | { texts: readonly string[] }>;

export async function startDnsServer(): Promise<DnsServer> {
  const names = new Map<string, Records>();
  const faults = new Map<string, DnsFault>();
  const asked: string[] = [];

  /** The answer to a query; undefined if the server does not answer. */
  const answered = (query: Packet): Packet | undefined => {
    const [question] = query.questions ?? [];
    if (!question) return undefined;
    const name = question.name.toLowerCase();
    asked.push(name);
    const fault = faults.get(name);
    if (fault === 'silent') return undefined;
    const head: Packet & { id: number } = {
      ...{ type: 'response', id: query.id ?? 0, flags: RECURSION },
      questions: [question],
    };
    if (fault === 'broken') return { ...head, flags: RECURSION | SERVFAIL };
    const records = names.get(name);
    if (fault === 'lying') return { ...head, id: (head.id + 1) % 65_536, answers: textsAt(name, records) };
    if (fault === 'aliased') {
      const alias: Answer = { type: 'CNAME', name, ttl: 1, data: 'elsewhere.example.net' };
      return { ...head, answers: [...(question.type === 'TXT' ? textsAt(name, records) : []), alias] };
    }
    if (!records) return { ...head, flags: RECURSION | NXDOMAIN };
    if ('alias' in records) {
      const alias: Answer = { type: 'CNAME', name, ttl: 1, data: records.alias };
      const target = question.type === 'CNAME' ? [] : textsAt(records.alias, names.get(records.alias));
      return { ...head, answers: [alias, ...target] };
    }
    return { ...head, answers: question.type === 'TXT' ? textsAt(name, records) : [] };
  };

  const udp = createSocket('udp4', (message, { port, address }) => {
    const answer = answered(decode(message));
    if (!answer) return;
    const bytes = encode(answer);
    const cut =
      bytes.length > UDP_MAX ? encode({ ...answer, flags: RECURSION | TRUNCATED_RESPONSE, answers: [] }) : bytes;
    udp.send(cut, port, address);
  });
  const tcp = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (message) => {
      const answer = answered(decode(message.subarray(2)));
      if (!answer) return;
      const bytes = encode(answer).subarray(0, TCP_MAX);
      const size = Buffer.alloc(2);
      size.writeUInt16BE(bytes.length);
      socket.write(Buffer.concat([size, bytes]));
    });
  });
  const port = await listening(udp, tcp);

  const close = async () => {
    opened.delete(close);
    await Promise.all([new Promise<void>((done) => udp.close(done)), new Promise((done) => tcp.close(done))]);
  };
  opened.add(close);
  const set = (name: string, records: Records) => {
    faults.delete(name);
    names.set(name, records);
  };
  return {
    address: `127.0.0.1:${port}`,
    asked,
    publish: (name, ...texts) => set(name, { texts }),
    alias: (name, target) => set(name, { alias: target }),
    withdraw: (name) => {
      faults.delete(name);
      names.delete(name);
    },
    failsAt: (name, fault) => void faults.set(name, fault),
    close,
  };
}

/** The servers that are still open. The helper closes them after the specs of the file. */
const opened = new Set<() => Promise<void>>();
afterAll(() => Promise.all([...opened].map((close) => close())));

const textsAt = (name: string, records: Records | undefined): Answer[] =>
  records && 'texts' in records ? records.texts.map((data) => ({ type: 'TXT', name, ttl: 1, data })) : [];

/** Listens on one free port for both protocols. */
async function listening(udp: Socket, tcp: Server): Promise<number> {
  await new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done));
  const { port } = tcp.address() as AddressInfo;
  await new Promise<void>((done) => udp.bind(port, '127.0.0.1', done));
  return port;
}

/** The maximum size of an answer. The server cuts a longer answer, but its header still counts all records. */
const TCP_MAX = 65_535;
/** The maximum size of an answer over UDP; a longer answer is cut, and the client repeats its query over TCP. */
const UDP_MAX = 512;
const RECURSION = 0x180; // the flags RD and RA
const SERVFAIL = 2;
const NXDOMAIN = 3;
