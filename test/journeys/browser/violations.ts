import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** Which rules axe checks: all rules, or only the rules about colours. */
export type Rules = 'everything' | 'colours';

/**
 * The violations that axe finds in a page: one text for each, with rule, element and reason. The check skips frames,
 * because our pages have none.
 */
export async function violationsOn(page: Page, of: Rules = 'everything'): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await inject(page);
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
 * Runs the code of axe in the page, once for each page. `page.evaluate` takes twice as long, because its `eval`
 * compiles the code again for each page. `AxeBuilder` of `@axe-core/playwright` takes even longer, because it opens
 * another page and injects the code again for each check.
 */
async function inject(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: source });
  await session.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.text);
}

/** The minified code of axe, half as long as the code with comments. */
const source = readFileSync(
  createRequire(require.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);
