/** @jest-environment node */
import { serveFeed, until } from './feed.testing';
import { joinSharedFeed } from './shared-feed';

type Service = Awaited<ReturnType<typeof serveFeed>>;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(refuse?: (connection: number) => number | undefined): Promise<Service> {
  const service = await serveFeed(refuse);
  closing.push(service.close);
  return service;
}

/**
 * A simulated tab that follows the organization. The result contains the states and the revisions that the tab has
 * received.
 */
function tab({ url }: Service, name: string, { from = 7, cursor }: { from?: number; cursor?: string } = {}) {
  const states: string[] = [];
  const revisions: number[] = [];
  const leave = joinSharedFeed({
    ...{ name, url, from, cursor },
    onState: (state) => void states.push(state),
    onEvent: ({ revision }) => void revisions.push(revision),
  });
  closing.push(leave);
  return { states, revisions, leave };
}
let count = 0;
const newName = () => `feed-${(count += 1)}`;

describe('The feed that the tabs of a browser share', () => {
  it('uses one connection, and every tab gets the events of this connection', async () => {
    const service = await serve();
    const name = newName();
    const first = tab(service, name);
    await until(() => first.states.at(-1) === 'live');
    const [second, third] = [tab(service, name), tab(service, name)];
    await until(() => [second, third].every(({ states }) => states.at(-1) === 'live'));
    service.connections[0]!.send(7);
    service.connections[0]!.send(8);
    await until(() => [first, second, third].every(({ revisions }) => revisions.length === 2));
    expect([first, second, third].map(({ revisions }) => revisions)).toEqual([
      [7, 8],
      [7, 8],
      [7, 8],
    ]);
    expect([service.asked(), service.connections[0]!.query]).toEqual([1, '?from=7']);
  });

  it('gives a tab that joins later the newest event that the feed has delivered', async () => {
    const service = await serve();
    const name = newName();
    const first = tab(service, name);
    await until(() => first.states.at(-1) === 'live');
    service.connections[0]!.send(8);
    await until(() => first.revisions.length === 1);
    const second = tab(service, name);
    await until(() => second.revisions.length === 1);
    expect([second.revisions, second.states]).toEqual([[8], ['live']]);
    first.leave();
    await until(() => service.connections.length === 2);
    expect(service.connections[1]!.lastEventId).toBe('cursor-8');
  });

  it('continues after the last delivered event in another tab, when the tab that reads the feed closes', async () => {
    const service = await serve();
    const name = newName();
    const first = tab(service, name);
    await until(() => first.states.at(-1) === 'live');
    const second = tab(service, name);
    await until(() => second.states.at(-1) === 'live');
    service.connections[0]!.send(8);
    await until(() => second.revisions.length === 1);
    first.leave();
    await until(() => service.connections.length === 2 && service.open().length === 1);
    expect([service.connections[1]!.query, service.connections[1]!.lastEventId]).toEqual(['?from=8', 'cursor-8']);
    service.connections[1]!.send(9);
    await until(() => second.revisions.includes(9));
    expect(first.revisions).toEqual([8]);
  });

  it('resumes after the last delivered event when its connection breaks, and sends its state to every tab', async () => {
    const service = await serve();
    const name = newName();
    const first = tab(service, name);
    await until(() => first.states.at(-1) === 'live');
    const second = tab(service, name);
    await until(() => second.states.at(-1) === 'live');
    service.connections[0]!.send(8);
    service.connections[0]!.end();
    await until(() => service.connections.length === 2 && second.states.at(-1) === 'live');
    expect(service.connections[1]!.lastEventId).toBe('cursor-8');
    expect(first.states).toEqual(['connecting', 'live', 'reconnecting', 'live']);
    expect(second.states.slice(-2)).toEqual(['reconnecting', 'live']);
  });

  it('waits between attempts while the service is busy, and then connects', async () => {
    const service = await serve((connection) => (connection === 0 ? 503 : undefined));
    const first = tab(service, newName());
    await until(() => first.states.at(-1) === 'live');
    expect(first.states).toEqual(['connecting', 'reconnecting', 'live']);
  });

  it.each([
    [409, 'restored'],
    [403, 'refused'],
    [404, 'refused'],
    [401, 'signed-out'],
  ] as const)('after the status %d, ends in the state %s, and no tab sends another request', async (status, end) => {
    const service = await serve(() => status);
    const name = newName();
    const first = tab(service, name);
    await until(() => first.states.at(-1) === end);
    const second = tab(service, name);
    await until(() => second.states.at(-1) === end);
    expect(service.asked()).toBe(1);
  });

  it('closes its connection when its last tab leaves', async () => {
    const service = await serve();
    const only = tab(service, newName(), { cursor: 'cursor-7' });
    await until(() => only.states.at(-1) === 'live');
    expect(service.connections[0]!.lastEventId).toBe('cursor-7');
    only.leave();
    await until(() => service.open().length === 0);
    expect(only.states).toEqual(['connecting', 'live']);
  });
});
