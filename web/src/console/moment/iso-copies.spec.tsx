import { fireEvent, waitFor } from '@testing-library/react';
import { people } from '../../../../test/journeys/pages/samples';
import { Console } from '../Console';
import { answeringAs, renderConsole } from '../open.testing';
import { copyMomentsAsIso } from './iso-copies';
import { MomentText } from '../page-parts/Moment';

const FIRST = '2026-05-02T21:33:20.000Z';
const SECOND = '2026-05-03T07:00:00.000Z';

/**
 * Selects a part of the page and copies the selection. Returns the text that the page put into the clipboard; undefined
 * if the page leaves the copy to the browser.
 */
function copied(first: Node, last: Node): string | undefined {
  let text: string | undefined;
  document.getSelection()!.setBaseAndExtent(first, 0, last, last.childNodes.length);
  const clipboardData = { setData: (_: string, value: string) => (text = value) };
  fireEvent.copy(document.body, { clipboardData });
  return text;
}

describe('A copied text', () => {
  let end: () => void;
  beforeEach(() => (end = copyMomentsAsIso(document)));
  afterEach(() => end());

  it('contains each moment in its ISO form', async () => {
    const { container } = await renderConsole(
      <p>
        From <MomentText at={FIRST} /> to <MomentText at={SECOND} as="day" />.
      </p>,
    );
    const paragraph = container.querySelector('p')!;
    expect(paragraph).toHaveTextContent(/^From May 2, 2026, 9:33:20.PM UTC to May 3, 2026\.$/u);
    expect(copied(paragraph, paragraph)).toBe(`From ${FIRST} to ${SECOND}.`);
    const [moment] = paragraph.querySelectorAll('time');
    expect(copied(moment!, moment!)).toBe(FIRST);
  });

  it('without a moment is copied by the browser itself', async () => {
    const { container } = await renderConsole(<p>From the beginning.</p>);
    expect(copied(container.firstChild!, container.firstChild!)).toBeUndefined();
  });
});

it('A text of the console is copied with each moment in its ISO form, as soon as the script has loaded', async () => {
  const { container } = await renderConsole(
    <>
      <Console />
      <p className="sample">
        <MomentText at={FIRST} />
      </p>
    </>,
    { path: '/no-page', answer: answeringAs(people.ada) },
  );
  const sample = container.querySelector('p.sample')!;
  await waitFor(() => expect(copied(sample, sample)).toBe(FIRST));
});
