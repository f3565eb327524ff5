import { Blob as NodeBlob } from 'node:buffer';
import { webcrypto } from 'node:crypto';
import { I18nProvider } from '@lingui/react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sampleExport, sampleKey } from '../../../test/journeys/pages/samples/proof';
import { messages } from '../../locales/proof/en.po';
import { loadLanguage } from '../languages';
import type { FileVerdict } from './file-check/export-check';
import { FileReport } from './FileReport';
import { fingerprintOf } from './remembered-key';
import { VerifyPage } from './VerifyPage';

const catalogues = { en: () => Promise.resolve({ messages }), fi: () => Promise.resolve({ messages }) };
const NAME = 'charter-checkpoint-key.service';
const REFUSED = 'This is not the history that was recorded.';
const EVENTS = 5;
let lines: string[];

beforeAll(async () => {
  Object.defineProperty(crypto, 'subtle', { value: webcrypto.subtle, configurable: true }); // jsdom has no `subtle`
  lines = (await sampleExport(EVENTS)).trimEnd().split('\n');
});
beforeEach(() => localStorage.clear());

const shown = async (what: React.ReactNode) =>
  render(<I18nProvider i18n={await loadLanguage(catalogues, 'en')}>{what}</I18nProvider>);

const joined = (some: readonly string[]) => some.map((line) => `${line}\n`).join('');

/** Opens the page and chooses a file with this content. */
async function checked(content: string | Uint8Array<ArrayBuffer>) {
  const page = await shown(<VerifyPage product="Pulse" />);
  const user = userEvent.setup();
  const file = new File([content], 'export.ndjson');
  const blob = new NodeBlob([content]);
  Object.defineProperty(file, 'slice', { value: blob.slice.bind(blob) }); // jsdom cannot read a slice of a file
  await user.upload(screen.getByLabelText('Exported file'), file);
  await screen.findByText(/Checked in/);
  return { ...page, user, report: () => page.container.querySelector('.report') };
}

describe('The key that signed a file, on the public page', () => {
  it('is not trusted yet, and the page stores nothing on this device', async () => {
    const { report } = await checked(joined(lines));
    expect(
      await screen.findByText('Not yet trusted: this page does not know the key that signed the file.'),
    ).toBeVisible();
    expect(screen.getByText('5 events form one chain. The key below signed the whole chain.')).toBeVisible();
    expect(report()).toHaveAttribute('data-state', 'warn');
    expect(localStorage).toHaveLength(0);
  });

  it('is trusted after the person pastes the same key', async () => {
    const { user, report } = await checked(joined(lines));
    await user.click(screen.getByLabelText('Public key of the service, from elsewhere'));
    await user.paste(sampleKey);
    expect(await screen.findByText('Trusted: the key that you pasted has signed it.')).toBeVisible();
    expect(screen.getByText('5 events, each unchanged, and signed as a whole.')).toBeVisible();
    expect(report()).toHaveAttribute('data-state', 'ok');
    expect(localStorage).toHaveLength(0);
  });

  it('is not trusted if the pasted text is no key, even if this device knows the key', async () => {
    const fingerprint = await fingerprintOf(sampleKey);
    localStorage.setItem(NAME, JSON.stringify({ fingerprint, since: '2026-01-02T03:04:05.000Z' }));
    const { user, report } = await checked(joined(lines));
    await user.click(screen.getByLabelText('Public key of the service, from elsewhere'));
    await user.paste('abc');
    expect(
      await screen.findByText('Not yet trusted: this page does not know the key that signed the file.'),
    ).toBeVisible();
    expect(report()).toHaveAttribute('data-state', 'warn');
  });

  it('has a field that says where the key comes from, and that a key from the same service proves less', async () => {
    await shown(<VerifyPage product="Pulse" />);
    const field = screen.getByLabelText('Public key of the service, from elsewhere');
    expect(field).toHaveAccessibleDescription(/charter checkpoint key.*\/\.well-known\/charter-checkpoint-key/);
    expect(field).toHaveAccessibleDescription(/A key from the service that signed the export proves less/);
  });

  it('is known if the console of this service stored the same key', async () => {
    const fingerprint = await fingerprintOf(sampleKey);
    localStorage.setItem(NAME, JSON.stringify({ fingerprint, since: '2026-01-02T03:04:05.000Z' }));
    const { report } = await checked(joined(lines));
    expect(await screen.findByText(/^Signed with the key that this device has known since Jan 2, 2026/)).toBeVisible();
    expect(report()).toHaveAttribute('data-state', 'ok');
  });

  it('causes an alarm if the console stored another key, and the page has no button to accept the key of the file', async () => {
    localStorage.setItem(NAME, JSON.stringify({ fingerprint: 'ff', since: '2026-01-02T03:04:05.000Z' }));
    const { report } = await checked(joined(lines));
    expect(await screen.findByText(/^This was not signed with the key that this device has known/)).toBeVisible();
    expect(report()).toHaveAttribute('data-state', 'bad');
    expect(screen.queryByRole('button', { name: /confirmed/ })).not.toBeInTheDocument();
  });
});

describe('The headline over the report about a file with a flaw', () => {
  it.each<[string, () => string | Uint8Array<ArrayBuffer>, string]>([
    ['an empty file', () => '', 'This file is no export of a history.'],
    ['a binary file', () => new Uint8Array(10_000).fill(0xfe), 'This file is no export of a history.'],
    ['a text', () => 'Dear auditor,\nhere it is.\n', 'This file is no export of a history.'],
    ['JSON that is no event', () => '{"specversion":"1.0"}\n', 'This file is no export of a history.'],
    [
      'an export of the whole log',
      () => '{"charter":"events","version":1,"store":"s","at":"2026-11-21T12:00:00.000Z"}\n',
      'This file is an export of the whole event log.',
    ],
    [
      'a file that ends between two lines',
      () => joined(lines.slice(0, 3)),
      'This file is incomplete: it ends after line 3.',
    ],
    [
      'a file that ends within a line',
      () => joined(lines).slice(0, -9),
      'This file is incomplete: it ends within line 6.',
    ],
    ['a damaged line', () => joined(lines.with(2, '{')), 'This file is damaged: line 3 is no line of an export.'],
    [
      'a line of another store',
      () => joined(lines.with(2, lines[2]!.replace('"source":"charter/', '"source":"charter/0'))),
      'This file contains a line of another store.',
    ],
  ])('does not claim that the history was changed: %s', async (...[, content, headline]) => {
    const { report } = await checked(content());
    expect(screen.getByText(headline)).toBeVisible();
    expect(screen.queryByText(REFUSED)).not.toBeInTheDocument();
    expect(report()).toHaveAttribute('data-state', 'warn');
  });

  it('says that the history was changed if the hash of an event does not match', async () => {
    const { report } = await checked(joined(lines).replace('"number":2', '"number":9'));
    expect(screen.getByText(REFUSED)).toBeVisible();
    expect(report()).toHaveAttribute('data-state', 'bad');
  });
});

describe('A text from a hostile file', () => {
  const turned = '\u202ehistory\u2069\u0007';
  const long = turned + 'x'.repeat(1_000_000);
  const cut = `\ufffdhistory\ufffd\ufffd${'x'.repeat(190)}…`;

  it('is shortened in the sentence about a flaw, and cannot change the text around it', async () => {
    const { stream } = (JSON.parse(lines[1]!) as { data: { stream: string } }).data;
    const { report } = await checked(
      joined(lines.with(1, lines[1]!.replaceAll(stream, long.replace('\u0007', '\\u0007')))),
    );
    const [other] = report()!.querySelectorAll('p bdi');
    expect(other).toHaveTextContent(cut);
    expect(report()).toHaveTextContent(`Line 2, revision 1: it belongs to ${cut}, not to ${stream}.`);
    expect(report()!.textContent.length).toBeLessThan(1_000);
  });

  it('is shortened in the report of a file without a flaw, and cannot change the text around it', async () => {
    const checkpoint = { store: long, events: 1, root: 'r', covers: long, position: '1', at: long };
    const verdict: FileVerdict = {
      ...{ ok: true, stream: long, events: 1, head: 'h' },
      signed: { checkpoint, key: long },
    };
    const { container } = await shown(<FileReport verdict={verdict} />);
    expect([...container.querySelectorAll('dd bdi')].map(({ textContent }) => textContent)).toEqual([
      cut,
      cut,
      cut,
      cut,
    ]);
    expect(container.textContent.length).toBeLessThan(2_000);
  });
});
