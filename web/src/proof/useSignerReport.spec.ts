import { webcrypto } from 'node:crypto';
import { renderHook, waitFor } from '@testing-library/react';
import type { FileVerdict } from './file-check/export-check';
import { fingerprintOf } from './remembered-key';
import { useSignerReport } from './useSignerReport';

const KEY = 'charter+1f0a3b5c+AQID';
const checkpoint = { store: 's', events: 1, root: 'r', covers: 'organization-a', position: '1', at: 'now' };
const verdict: FileVerdict = {
  ...{ ok: true, stream: 'organization-a', events: 1, head: 'h' },
  signed: { checkpoint, key: KEY },
};
const NAME = 'charter-checkpoint-key.service';
const stored = () => JSON.parse(localStorage.getItem(NAME) ?? 'null') as { fingerprint: string } | null;
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

type Service = NonNullable<Parameters<typeof useSignerReport>[1]['service']>;
const reportWith = (service: Service | undefined, pasted = '') =>
  renderHook((known) => useSignerReport(verdict, known), { initialProps: { pasted, service } });

beforeAll(() => {
  Object.defineProperty(crypto, 'subtle', { value: webcrypto.subtle, configurable: true }); // jsdom has no `subtle`
});
beforeEach(() => localStorage.clear());

describe('The comparison of the key that signed an export with the known keys', () => {
  it('waits for the key that the service publishes before it stores a new key', async () => {
    const { result, rerender } = reportWith({ isAsked: false });
    await settled();
    expect(result.current).toBeUndefined();
    expect(stored()).toBeNull();
    rerender({ pasted: '', service: { isAsked: true, key: KEY } });
    await waitFor(() => expect(result.current?.trust.kind).toBe('first'));
    expect(stored()).toMatchObject({ fingerprint: await fingerprintOf(KEY) });
  });

  it('stores no key that differs from the key that the service publishes', async () => {
    const { result } = reportWith({ isAsked: true, key: 'charter+1f0a3b5c+BQID' });
    await waitFor(() => expect(result.current?.trust.kind).toBe('other-than-published'));
    expect(stored()).toBeNull();
  });

  it('neither trusts nor stores a new key if the service publishes no key', async () => {
    const { result } = reportWith({ isAsked: true });
    await waitFor(() => expect(result.current?.trust.kind).toBe('not-trusted'));
    expect(stored()).toBeNull();
  });

  it('does not wait for the service if the person pasted the key', async () => {
    const { result } = reportWith({ isAsked: false }, KEY);
    await waitFor(() => expect(result.current?.trust.kind).toBe('trusted'));
    expect(stored()).not.toBeNull();
  });

  it.each(['', KEY])('stores no key on a page without a service, with the pasted key "%s"', async (pasted) => {
    const { result } = reportWith(undefined, pasted);
    await waitFor(() => expect(result.current?.trust.kind).toBe(pasted ? 'trusted' : 'not-trusted'));
    expect(stored()).toBeNull();
    expect(result.current?.accept).toBeUndefined();
  });

  it('reports how far the person can rely on the key, even if the browser cannot store the key', async () => {
    const storage = jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('The page may not use the storage.', 'SecurityError');
    });
    const { result } = reportWith({ isAsked: true, key: KEY });
    await waitFor(() => expect(result.current?.trust.kind).toBe('first'));
    storage.mockRestore();
  });
});
