import { MemoryLog } from '@charter/event-log';
import { randomUUID } from 'node:crypto';
import { replayClosings } from './replay-closings';

/** A log in which two organizations were closed, and an installation mark in memory. */
async function stores() {
  const log = new MemoryLog();
  for (const stream of ['organization-a', 'organization-b'])
    await log.append(stream, [{ id: randomUUID(), type: 'OrganizationClosed', data: {} }], { expected: 'no_stream' });
  const known = new Map<string, string>();
  const marks = {
    get: (name: string) => Promise.resolve(known.get(name)),
    set: (name: string, value: string) => Promise.resolve(void known.set(name, value)),
  };
  return { log, database: { marks: marks as never } };
}

const notStopping = () => false;

describe('The replay of closings', () => {
  it('finishes each closing once', async () => {
    const [opened, finished] = [await stores(), [] as string[]];
    const finish = (organization: string) => Promise.resolve(finished.push(organization) > 0);
    await replayClosings(opened, finish, notStopping);
    await replayClosings(opened, finish, notStopping);
    expect(finished).toEqual(['a', 'b']);
  });

  it('finishes the other closings if a history is unreadable, and begins with the same events the next time', async () => {
    const [opened, finished] = [await stores(), [] as string[]];
    const finish = (organization: string) => Promise.resolve(finished.push(organization) > 1);
    await replayClosings(opened, finish, notStopping);
    await replayClosings(opened, finish, notStopping);
    expect(finished).toEqual(['a', 'b', 'a', 'b']);
  });

  it('begins with the same events the next time if the process stops', async () => {
    const [opened, finished] = [await stores(), [] as string[]];
    const finish = (organization: string) => Promise.resolve(finished.push(organization) > 0);
    await replayClosings(opened, finish, () => finished.length > 0);
    await replayClosings(opened, finish, notStopping);
    expect(finished).toEqual(['a', 'a', 'b']);
  });
});
