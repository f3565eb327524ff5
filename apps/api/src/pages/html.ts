import { escapeHtml } from './page-template';

/** Text that is HTML already, so that `html` inserts it unchanged. */
export class Html {
  constructor(readonly text: string) {}
}
type Part = Html | string | number | false | undefined | readonly Part[];

/** A template of HTML. Inserted texts are escaped; inserted HTML and lists of HTML stay; false inserts nothing. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, at) => text + written(parts[at])).join(''));

function written(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return '';
  if (typeof part === 'object') return part.map(written).join('');
  return escapeHtml(String(part));
}

/** A description of the OpenAPI document. Of Markdown, it may contain only `code` and **strong** text. */
export const marked = (text: string): Html =>
  new Html(
    escapeHtml(text)
      .replace(/`([^`]+)`/g, '<code>$1</code>')
      .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'),
  );
