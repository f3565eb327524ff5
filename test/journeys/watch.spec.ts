import { staged } from './stage';
import { soon } from './soon';

const stage = staged();

/** What must make any journey fail, each planted once. */
const planted: readonly [what: string, script: string, complaint: string][] = [
  ['an error in the console', 'console.error("planted")', 'console: planted'],
  ['an exception that nobody caught', 'setTimeout(() => { throw new Error("planted") })', 'page: Error: planted'],
  ['a rejection that nobody handled', 'void Promise.reject(new Error("planted"))', 'page: Error: planted'],
  [
    'a violation of the policy',
    'document.body.append(Object.assign(document.createElement("script"), { textContent: "1" }))',
    'violates the following Content Security Policy',
  ],
  ['a request to a stranger', 'open("http://127.0.0.1:1/")', 'request: http://127.0.0.1:1/'],
  ['an answer that is an error', 'void fetch("/api/v1/nothing")', 'status of 404'],
];

describe('a journey fails by', () => {
  it.each(planted.map(([what, script, complaint]) => ({ what, script, complaint })))('$what', async (one) => {
    const { page, complaints } = await stage.visit('/');
    await page.evaluate(`${one.script}; undefined`);
    await soon(() => expect(complaints.join('\n')).toContain(one.complaint));
    complaints.splice(0); // it was meant
  });

  it('nothing else: a page without faults', async () => {
    const { page, complaints } = await stage.visit('/');
    await page.waitForLoadState('networkidle');
    expect(complaints).toEqual([]);
  });
});
