import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** All rules, or, where only the colours are others, those of colours. */
export type Rules = 'everything' | 'colours';

/** What axe has to say against a page as it is now: rule, element and reason, one line each. Our pages have no frames. */
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

/** Put into a page once: the builder of `@axe-core/playwright` does it for each run, in a window of its own, which takes three times as long. */
const { source } = createRequire(require.resolve('@axe-core/playwright'))('axe-core') as { source: string };
