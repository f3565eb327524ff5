import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './free-port.mjs';

/** A proxy in front of a store. A spec uses the proxy to make the network fail (`acceptance.md` 2, Tools). */
export type TcpProxy = Readonly<{
  port: number;
  /** Refuses new connections and cuts open connections, as if no process listened. */
  refuse: () => Promise<void>;
  /** Accepts new connections and all data, but forwards nothing. */
  swallow: () => void;
  /** Delays each chunk by this number of milliseconds, in each direction. */
  delay: (ms: number) => void;
  /**
   * Resets the connection instead of forwarding a chunk. The proxy does so for the given share of all chunks (0 to 1).
   */
  reset: (share: number) => void;
  /** Forwards every request, and cuts the connection instead of forwarding an answer. */
  lose: () => void;
  /**
   * Forwards all data normally again. Swallowed data is lost, and the proxy cuts the connections that sent the data.
   */
  mend: () => Promise<void>;
  /** Cuts every open connection, and accepts new connections. */
  cut: () => void;
  /** Holds the data of one connection back until `release` is called. */
  clog: (connection: number) => void;
  release: (connection: number) => void;
  /** The numbers of the open connections. */
  connections: () => readonly number[];
  close: () => Promise<void>;
}>;

type Pair = Readonly<{ near: Socket; far: Socket; id: number }>;

/** Starts a proxy in front of this port of this machine. `random` decides which chunks are reset. */
export async function tcpProxy(target: number, random: () => number = Math.random): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  const clogged = new Set<number>();
  let [isSwallowing, isLosing, wait, share, count] = [false, false, 0, 0, 0];

  const pour = (pair: Pair, from: Socket, to: Socket) => {
    const pass = (piece: Buffer) => {
      if (to.writable && !to.write(piece) && !clogged.has(pair.id)) {
        from.pause();
        to.once('drain', () => !clogged.has(pair.id) && from.resume());
      }
    };
    from.on('data', (piece) => {
      if (isSwallowing) return;
      if ((isLosing && from === pair.far) || (share > 0 && random() < share)) end(pair);
      else if (wait > 0) setTimeout(() => pass(piece), wait);
      else pass(piece);
    });
    from.on('error', () => end(pair));
    from.on('close', () => end(pair));
  };
  const end = (pair: Pair) => {
    pairs.delete(pair);
    pair.near.resetAndDestroy();
    pair.far.resetAndDestroy();
  };
  const cut = () => pairs.forEach(end);

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true });
    const pair: Pair = { near, far, id: (count += 1) };
    pairs.add(pair);
    pour(pair, near, far);
    pour(pair, far, near);
  });
  const port = await freePort();
  const listen = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen();
  const flow = (id: number, how: 'pause' | 'resume') => {
    for (const pair of pairs)
      if (pair.id === id) {
        pair.near[how]();
        pair.far[how]();
      }
  };
  const shut = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  };

  return {
    port,
    refuse: shut,
    swallow: () => void (isSwallowing = true),
    delay: (ms) => void (wait = ms),
    lose: () => void (isLosing = true),
    reset: (of) => void (share = of),
    mend: async () => {
      if (isSwallowing) cut();
      [isSwallowing, isLosing, wait, share] = [false, false, 0, 0];
      if (!server.listening) await listen();
    },
    cut,
    clog: (id) => {
      clogged.add(id);
      flow(id, 'pause');
    },
    release: (id) => {
      clogged.delete(id);
      flow(id, 'resume');
    },
    connections: () => [...pairs].map(({ id }) => id),
    close: shut,
  };
}
