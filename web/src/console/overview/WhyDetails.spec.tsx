import { act, screen, waitFor } from '@testing-library/react';
import { openOrganization } from '../organization/open-organization.testing';
import { pathOfWhy } from './why-address';

const USERS = '5 from Pulse Teams + 3 from User = 8; hard limit 10; so 8';
const SITES = 'Included in Pulse Teams';
const terms = (summary: string) => screen.getAllByText(summary)[0]!.closest('details')!;

async function opened(search = '') {
  const page = await openOrganization(`/overview${search}`);
  await screen.findByText('Matomo integration');
  await screen.findByText(USERS);
  return page;
}

describe('The address of the overview', () => {
  it('contains the value whose explanation a person has opened last, and Back closes this explanation', async () => {
    const { user, address, back } = await opened();
    await user.click(screen.getByText(USERS));
    expect(terms(USERS)).toHaveAttribute('open');
    expect(address()).toBe('/overview?why=users');
    await user.click(screen.getAllByText(SITES)[0]!);
    expect(address()).toMatch(/^\/overview\?why=features%2F/);
    expect(terms(USERS)).toHaveAttribute('open'); // stays open, so that a person can compare two values
    await back();
    expect(address()).toBe('/overview?why=users');
    expect(terms(SITES)).not.toHaveAttribute('open');
    expect(terms(USERS)).toHaveAttribute('open');
    await back();
    expect(address()).toBe('/overview');
    expect(terms(USERS)).not.toHaveAttribute('open');
  });

  it('makes the page open the explanation of the value in the parameter `why`', async () => {
    const { user, address } = await opened('?why=users&asOf=1191');
    expect(terms('5 from Pulse Teams + 3 from User = 8; hard limit 10; so 8')).toHaveAttribute('open');
    await user.click(screen.getByText(USERS));
    expect(terms(USERS)).not.toHaveAttribute('open');
    await waitFor(() => expect(address()).toBe('/overview?asOf=1191'));
  });

  it('stays the same when all explanations open at once, and changes when a person closes the explanation of the value in `why`', async () => {
    const { user, address } = await opened();
    await user.click(screen.getByText(USERS));
    const all = [...document.querySelectorAll('details')];
    act(() => all.forEach((one) => (one.open = true)));
    expect(address()).toBe('/overview?why=users');
    terms(USERS).open = false;
    await waitFor(() => expect(address()).toBe('/overview'));
  });
});

describe('The path of a value', () => {
  it.each([
    ['users', '/limits/users'],
    ['features/logo', '/features/logo'],
    ['plans/second', '/plans/second'],
    ['traffic', '/traffic'],
    ['serviceLevel', '/serviceLevel'],
  ])('is derived from the address parameter `why`: %s is %s', (why, path) => expect(pathOfWhy(why)).toBe(path));
});
