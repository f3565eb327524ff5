import { screen, waitFor } from '@testing-library/react';
import { NORTHWIND } from '../../../../../../test/journeys/pages/samples';
import {
  pastPreview,
  refusedPreview,
  removalPreview,
  soloPreview,
} from '../../../../../../test/journeys/pages/samples/previews';
import { openOrganization } from '../../open-organization.testing';

/** The name and the text of each file that the page saves. */
function savedFiles() {
  const blobs: Blob[] = [];
  const names: string[] = [];
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}`,
    revokeObjectURL: () => undefined,
  });
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return { names, text: (index: number) => textOf(blobs[index]!) };
}

const textOf = async (blob: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.readAsText(blob);
  });

/** Opens the page, waits for the text `shown`, and downloads the comparison. */
async function downloaded(path: string, preview: object, shown = 'Assign Pulse Solo') {
  const saved = savedFiles();
  const { user } = await openOrganization(path, ({ url }) =>
    url.endsWith('/preview') ? { status: 200, data: preview } : undefined,
  );
  await screen.findAllByText(new RegExp(shown));
  await user.click(await screen.findByRole('button', { name: 'Download comparison' }));
  await waitFor(() => expect(saved.names).toHaveLength(1));
  return { name: saved.names[0], lines: (await saved.text(0)).split('\r\n').slice(0, -1) };
}

afterEach(() => jest.restoreAllMocks());

describe('The downloaded comparison of a tried plan', () => {
  it('contains the tried changes, and each value before and after these changes', async () => {
    const { name, lines } = await downloaded('/plan?try=second/solo', soloPreview);
    expect(name).toBe(`${NORTHWIND}-plan-comparison-1283.csv`);
    expect(lines).toEqual([
      '"Part","Value","Before","After","In use","Over by"',
      '"Tried","Assign Pulse Solo"',
      '"Lost","Matomo integration","On","Off"',
      '"Limit","Users",8,2,7,5',
      '"Limit","Page views a month",1000000,100000,812400,712400',
      '"Other change","Plan, second line","Pulse Teams","Pulse Solo"',
    ]);
  });

  it('contains a tried change that the service refuses, marked as refused', async () => {
    const { lines } = await downloaded('/plan?try=second/solo,service:turnkey', refusedPreview);
    expect(lines.slice(1, 3)).toEqual(['"Tried","Assign Pulse Solo"', '"Refused","Set the service level Turnkey"']);
  });

  it('also contains the effect while the page shows the past', async () => {
    const { lines } = await downloaded('/plan?asOf=1191&try=second/solo', pastPreview);
    expect(lines).toContain('"Limit","Users",8,2,7,5');
  });

  it('contains a removed entry, and escapes texts that a spreadsheet would execute as formulas', async () => {
    const renamed = { op: 'replace', path: '/name', before: '=1+1', value: '@"sum"' };
    const preview = { ...removalPreview, state: [...removalPreview.state, renamed] };
    const { lines } = await downloaded('/plan?try=second/solo', preview, 'Ben Okafor');
    expect(lines).toContain('"Lost","Ben Okafor","Admin","none"');
    expect(lines.find((line) => line.startsWith('"Other change","Name"'))).toBe(
      `"Other change","Name","'=1+1","'@""sum"""`,
    );
  });
});
