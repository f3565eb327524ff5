import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What stands before a store and makes it hard to reach (`acceptance.md` 2, Tools). */
export type TcpProxy = Readonly<{
  port: number;
  /** Lets nobody in, and nobody stay: as if nothing listened. */
  refuse: () => Promise<void>;
  /** Takes everything and passes nothing on, for old connections and for new ones: a black hole. */
  swallow: () => void;
  /** Every piece waits so many milliseconds, both ways. */
  delay: (ms: number) => void;
  /** So much of 1 of all pieces resets its connection instead of being passed on. */
  reset: (share: number) => void;
  /** Everything reaches the other side, and whatever comes back from there cuts its connection instead of being passed on. */
  lose: () => void;
  /** All is well again: whoever comes gets through. What was swallowed is lost, and its connections are cut. */
  mend: () => Promise<void>;
  /** Cuts every connection, once. */
  cut: () => void;
  /** Stops this connection, or lets it go on; what it holds is kept meanwhile. */
  clog: (connection: number) => void;
  release: (connection: number) => void;
  /** The connections that are open, by their numbers. */
  connections: () => readonly number[];
  close: () => Promise<void>;
}>;

type Pair = Readonly<{ near: Socket; far: Socket; id: number }>;

/** Stands before a port on this machine. `random` decides what is reset; give it a seed to see the same again. */
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
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
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
      if (!server.listening) await listen(port);
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
