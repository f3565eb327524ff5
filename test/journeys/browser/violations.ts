import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** All rules, or only those of colours where only the colours differ. */
export type Rules = 'everything' | 'colours';

/** The violations that axe finds in a page: rule, element and reason, one line each. These pages have no frames. */
export async function violationsOn(page: Page, of: Rules = 'everything'): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(source);
  const options = { runOnly: rules[of], resultTypes: ['violations'] };
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

type Violation = Readonly<{ id: string; nodes: readonly Readonly<{ html: string; failureSummary: string }>[] }>;

const rules = {
  everything: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  colours: { type: 'rule', values: ['color-contrast'] },
} as const satisfies Record<Rules, object>;

/**
 * Injected into a page once. The builder of `@axe-core/playwright` injects it for each run, in a window of its own,
 * which takes three times as long.
 */
const { source } = createRequire(require.resolve('@axe-core/playwright'))('axe-core') as { source: string };
