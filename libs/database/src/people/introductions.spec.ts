import { databases, testNow } from '../database.testing';
import { testAccount, twoProcesses } from './people.testing';

describe.each(databases)(
  'Introductions (permissions to show the name of a person to members) in %s',
  (_database, make) => {
    let processes: Awaited<ReturnType<typeof twoProcesses>>;
    beforeAll(async () => {
      processes = await twoProcesses(make);
    });
    afterAll(() => processes.close());

    const introduced = async (organization: string) => {
      const account = testAccount({ name: 'Ada' });
      await processes.here.accounts.insert(account);
      await processes.here.introductions.add(organization, account.id);
      return account.id;
    };
    const known = async (organization: string, account: string) => {
      const { introductions } = processes.there;
      const [now, ever] = [
        await introductions.among(organization, [account]),
        await introductions.everAmong(organization, [account]),
      ];
      return { now: now.has(account), ever: ever.has(account) };
    };

    it('are found as former introductions after their end, also in another process', async () => {
      const ada = await introduced('o-1');
      expect(await known('o-1', ada)).toEqual({ now: true, ever: true });
      for (let times = 0; times < 2; times += 1) {
        await processes.here.introductions.end('o-1', ada);
        expect(await known('o-1', ada)).toEqual({ now: false, ever: true });
      }
      expect(await known('o-2', ada)).toEqual({ now: false, ever: false });
      await processes.here.introductions.add('o-1', ada);
      await processes.here.introductions.end('o-1', ada);
      expect(await known('o-1', ada)).toEqual({ now: false, ever: true });
    });

    it('name the present organizations of an account, without former organizations', async () => {
      const ada = await introduced('o-6');
      for (const organization of ['o-7', 'o-8']) await processes.here.introductions.add(organization, ada);
      await processes.here.introductions.end('o-7', ada);
      expect(await processes.there.introductions.organizationsOf(ada)).toEqual(new Set(['o-6', 'o-8']));
      await processes.there.accounts.erase(ada, testNow);
      expect(await processes.there.introductions.organizationsOf(ada)).toEqual(new Set());
    });

    it('are not found, not even as former introductions, if they never began', async () => {
      const account = testAccount();
      await processes.here.accounts.insert(account);
      await processes.here.introductions.end('o-1', account.id);
      expect(await known('o-1', account.id)).toEqual({ now: false, ever: false });
    });

    it('are deleted with the person, both present and former introductions', async () => {
      const ada = await introduced('o-3');
      await processes.here.introductions.add('o-4', ada);
      await processes.here.introductions.end('o-3', ada);
      await processes.there.accounts.erase(ada, testNow);
      for (const organization of ['o-3', 'o-4'])
        expect(await known(organization, ada)).toEqual({ now: false, ever: false });
    });

    it('are not stored for an erased person', async () => {
      const ada = await introduced('o-9');
      await processes.there.accounts.erase(ada, testNow);
      await processes.here.introductions.add('o-9', ada);
      expect(await known('o-9', ada)).toEqual({ now: false, ever: false });
      expect(await processes.there.introductions.organizationsOf(ada)).toEqual(new Set());
    });

    it('are not stored again if they end during the erasure of the person', async () => {
      const people = await Promise.all(Array.from({ length: 5 }, () => introduced('o-5')));
      await Promise.all(
        people.flatMap((ada) => [
          processes.here.introductions.end('o-5', ada),
          processes.there.accounts.erase(ada, testNow),
        ]),
      );
      for (const ada of people) expect(await known('o-5', ada)).toEqual({ now: false, ever: false });
    });
  },
);
