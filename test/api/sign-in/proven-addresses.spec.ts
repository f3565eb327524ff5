import type { Account } from '@charter/identity';
import { linkFor } from '../../../apps/api/src/sign-in/links';
import { browser, mailsOf, person, tokenIn } from '../../support/sign-in/people';
import { founded } from '../../support/requests/organizations';
import { type Served, serving } from '../../support/serving';

const PASSWORD = 'a whole new password 42';
let served: Served;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
});
afterAll(() => served.close());

describe('Mailed link', () => {
  const redeemed = async (link: string) => {
    const body = { token: link.split('/').at(-1), password: PASSWORD };
    return (await (await browser(served)).send('POST', '/reset', body)).status;
  };
  const now = ({ id }: Account) => served.charter.database.people.accounts.byId(id);
  const invited = { state: 'invited', password: null, emailVerified: false } as const;

  it('of an invitation works once: setting the password activates the account and verifies its address', async () => {
    const ada = await person(served, invited);
    await founded(served, { owner: ada.id });
    const link = await linkFor(served.runtime, 'invitation', ada.id, ada.email);
    expect(await redeemed(link)).toBe(204);
    expect(await now(ada)).toMatchObject({ state: 'active', emailVerified: true });
    expect(await redeemed(link)).toBe(400);
    expect((await (await browser(served)).logIn(ada.email!, PASSWORD)).status).toBe(204);
  });

  it('of a reset verifies the address; a link that the command line prints does not', async () => {
    const [mailed, printed, proven] = [
      await person(served, { emailVerified: false }),
      await person(served, invited),
      await person(served),
    ];
    await (await browser(served)).send('POST', '/forgot', { email: mailed.email });
    expect(await redeemed(`/${tokenIn((await mailsOf(served, mailed)).at(-1)!)}`)).toBe(204);
    for (const one of [printed, proven])
      expect(await redeemed(await linkFor(served.runtime, 'reset', one.id, null))).toBe(204);
    expect(await now(mailed)).toMatchObject({ state: 'active', emailVerified: true });
    expect(await now(printed)).toMatchObject({ state: 'active', emailVerified: false });
    expect(await now(proven)).toMatchObject({ state: 'active', emailVerified: true });
  });

  it('to an address that is no longer the current one does not verify the current address', async () => {
    const ada = await person(served, { emailVerified: false });
    const link = await linkFor(served.runtime, 'reset', ada.id, 'before@people.example');
    expect(await redeemed(link)).toBe(204);
    expect(await now(ada)).toMatchObject({ emailVerified: false });
  });
});
