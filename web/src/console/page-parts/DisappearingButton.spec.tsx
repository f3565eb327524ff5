import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { DisappearingButton } from './DisappearingButton';

/** A page on which the button “Try again” removes itself, with the elements around it. */
function Page({ around, stays = false }: Readonly<{ around: (button: ReactNode) => ReactNode; stays?: boolean }>) {
  const [isShown, setShown] = useState(true);
  return (
    <>
      <section>
        <h2>Part before the page</h2>
      </section>
      <h1>Page</h1>
      {around(isShown && <DisappearingButton onClick={() => setShown(stays)}>Try again</DisappearingButton>)}
    </>
  );
}

async function press(around: (button: ReactNode) => ReactNode, stays?: boolean) {
  render(<Page {...{ around, ...(stays !== undefined && { stays }) }} />);
  const focus = jest.spyOn(HTMLElement.prototype, 'focus');
  screen.getByRole('button', { name: 'Try again' }).focus();
  await userEvent.setup().keyboard('{Enter}');
  return focus;
}

describe('A button that disappears when a person presses it', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('passes the focus to the heading of its section, and does not scroll the page', async () => {
    const focus = await press((button) => (
      <>
        <section>
          <h2>Members</h2>
        </section>
        <section>
          <h2>Limits</h2>
          <p>{button}</p>
        </section>
      </>
    ));
    expect(screen.getByRole('heading', { name: 'Limits' })).toHaveFocus();
    expect(focus).toHaveBeenLastCalledWith({ preventScroll: true });
  });

  it('passes the focus to the field of a dialog without a heading', async () => {
    await press((button) => (
      <dialog open>
        <input />
        {button}
      </dialog>
    ));
    expect(screen.getByRole('textbox')).toHaveFocus();
    expect(screen.getByRole('textbox')).not.toHaveAttribute('tabindex');
  });

  it.each<[string, (button: ReactNode) => ReactNode]>([
    ['is in no section', (button) => <div>{button}</div>],
    ['is in a section without a heading', (button) => <section>{button}</section>],
    ['disappears with its section', (button) => button && <section>{button}</section>],
  ])('passes the focus to the heading of the page if it %s', async (_, around) => {
    await press(around);
    expect(screen.getByRole('heading', { name: 'Page' })).toHaveFocus();
  });

  it('leaves the focus where it is if the page has moved it, or if the button stays', async () => {
    await press((button) => (
      <section>
        <h2>Limits</h2>
        {button}
        {!button && <input ref={(field) => field?.focus()} />}
      </section>
    ));
    expect(screen.getByRole('textbox')).toHaveFocus();
    document.body.replaceChildren();
    await press((button) => button, true);
    expect(screen.getByRole('button', { name: 'Try again' })).toHaveFocus();
  });
});
