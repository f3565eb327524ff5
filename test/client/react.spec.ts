/** @jest-environment jsdom */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { JsxEmit, ModuleKind, transpileModule } from 'typescript';
import { CharterOrganization } from '../../libs/client/src/charter-organization';
import { defaultIntervals, EntitlementConnection } from '../../libs/client/src/connection';
import { EntitlementStore } from '../../libs/client/src/entitlement-store';
import { heldOrganizations } from '../../libs/client/src/held-organizations';
import { Observable } from '../../libs/client/src/observable';
import type { FeatureName, ValueSource } from '../../libs/client/src/values';

// Without the types of React: they would change the types of the browser in the specs that use Playwright.
const { act, createElement } = jest.requireActual('react');
const { createRoot, hydrateRoot } = jest.requireActual('react-dom/client');
const { renderToString } = jest.requireActual('react-dom/server.node');
const { CharterProvider, useCan, useLimit, useWhy } = jest.requireActual('../../libs/client/src/react');

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const names = ['feedback', 'multiSite', 'multiUser', 'qualityAssurance', 'webAnalytics'] as const;
const because = [{ kind: 'plan', what: 'second/solo', event: 1, at: '2026-01-01T00:00:00.000Z' }] as const;
const values = (revision: number, on: readonly string[], used = 0): ValueSource => ({
  revision,
  features: Object.fromEntries(names.map((name) => [name, { on: on.includes(name), because }])),
  limits: { users: { limit: 2, used, remaining: 2 - used, unlimited: false, because } },
});

/** An organization without a server: the spec itself applies the values of a revision. */
function emptyOrganization() {
  const store = new EntitlementStore('7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90');
  const source = { follow: () => Promise.resolve(), fetch: () => Promise.resolve('same' as const) };
  const connection = new EntitlementConnection(
    source,
    defaultIntervals,
    { ms: 1_000, then: 'last-known' },
    new Observable(),
  );
  const apply = (next: ValueSource) => act(() => store.apply({ etag: undefined, source: next }));
  const held = { store, connection, lastUse: 0, isDropped: false };
  const all = heldOrganizations(
    1,
    () => held,
    () => undefined,
  );
  return { store, apply, organization: new CharterOrganization(held, all) };
}

function rendered(organization: CharterOrganization, children: unknown) {
  const element = (globalThis as unknown as Browser).document.createElement('div');
  const root = createRoot(element);
  act(() => root.render(createElement(CharterProvider, { organization }, children)));
  return { text: () => element.textContent, end: () => act(() => root.unmount()) };
}
type Browser = Readonly<{
  document: Readonly<{ createElement: (name: string) => { readonly textContent: string; innerHTML: string } }>;
}>;

describe('The hooks for React', () => {
  it('SD11: render only the components that read the changed feature', () => {
    const { apply, organization } = emptyOrganization();
    apply(values(1, ['feedback']));
    const renders = new Map<number, number>();
    const Reader = ({ index, feature }: { index: number; feature: FeatureName }) => {
      renders.set(index, (renders.get(index) ?? 0) + 1);
      return useCan(feature) ? '1' : '0';
    };
    const components = Array.from({ length: 500 }, (_, index) =>
      createElement(Reader, { key: index, index, feature: names[index % names.length]! }),
    );
    const { text, end } = rendered(organization, components);
    expect(text()).toBe('10000'.repeat(100));
    renders.clear();
    apply(values(2, ['feedback', 'multiSite']));
    expect(text()).toBe('11000'.repeat(100));
    expect([...renders.keys()].map((index) => index % names.length)).toEqual(Array(100).fill(1));
    end();
  });

  it('cause no new render after an event that changes no value', () => {
    const { apply, organization } = emptyOrganization();
    apply(values(1, []));
    let renders = 0;
    const Reader = () => {
      renders += 1;
      return `${useLimit('users').remaining} ${useWhy('users')[0]?.what}`;
    };
    const { text, end } = rendered(organization, createElement(Reader));
    expect(text()).toBe('2 second/solo');
    renders = 0;
    apply(values(2, []));
    expect(renders).toBe(0);
    apply(values(3, [], 1));
    expect([renders, text()]).toEqual([1, '1 second/solo']);
    end();
  });

  it('use the fallback without values', () => {
    const { apply, organization } = emptyOrganization();
    const { text, end } = rendered(
      organization,
      createElement(() => String(useCan('feedback', false))),
    );
    expect(text()).toBe('false');
    apply(values(1, ['feedback']));
    expect(text()).toBe('true');
    end();
  });

  it('render on a server, and hydrate the same page in the browser without a difference', () => {
    const [server, browser] = [emptyOrganization(), emptyOrganization()];
    const Reader = () => `${useCan('feedback')} ${useLimit('users').remaining} ${useWhy('users')[0]?.what}`;
    const page = ({ organization }: typeof server) =>
      createElement(CharterProvider, { organization }, createElement(Reader));
    for (const { apply } of [server, browser]) apply(values(1, ['feedback']));
    const html: string = renderToString(page(server));
    expect(html).toBe('true 2 second/solo');

    const element = (globalThis as unknown as Browser).document.createElement('div');
    element.innerHTML = html;
    const differences: unknown[] = [];
    const onRecoverableError = (error: unknown) => differences.push(error);
    let root: ReturnType<typeof createRoot>;
    act(() => (root = hydrateRoot(element, page(browser), { onRecoverableError })));
    expect([differences, element.textContent]).toEqual([[], html]);
    browser.apply(values(2, [], 1));
    expect(element.textContent).toBe('false 1 second/solo');
    act(() => root.unmount());
  });

  it('render the component of the how-to page before and after a change', () => {
    const page = readFileSync(join(__dirname, '../../docs/how-to/ask-from-typescript.md'), 'utf8');
    const [, block] = /^```tsx\n([\s\S]*?)^```$/m.exec(page)!;
    const compilerOptions = { module: ModuleKind.CommonJS, jsx: JsxEmit.ReactJSX };
    const { outputText } = transpileModule(block!, { compilerOptions });
    const program = compileFunction(outputText, ['require', 'exports', 'acme', 'root']);
    const modules: Readonly<Record<string, unknown>> = {
      '@charter/client/react': { CharterProvider, useCan, useLimit },
      'react/jsx-runtime': jest.requireActual('react/jsx-runtime'),
    };
    const { apply, organization } = emptyOrganization();
    const element = (globalThis as unknown as Browser).document.createElement('div');
    const root = createRoot(element);
    act(() => program((name: string) => modules[name], {}, organization, root));
    expect(element.textContent).toBe('');
    apply(values(1, ['multiUser']));
    expect(element.textContent).toBe('2 left');
    apply(values(2, []));
    expect(element.textContent).toBe('');
    act(() => root.unmount());
  });
});
