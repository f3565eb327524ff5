import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** Which rules axe checks: all rules, or only the rules about colours. */
export type Rules = 'everything' | 'colours';

/**
 * The violations that axe finds in a page: one text for each, with rule, element and reason. The check skips frames,
 * because our pages have none.
 */
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
 * The code of axe. The check injects this code into each page once. `AxeBuilder` of `@axe-core/playwright` takes three
 * times as long, because it opens another page and injects the code again for each check.
 */
const { source } = createRequire(require.resolve('@axe-core/playwright'))('axe-core') as { source: string };
