/** Replaces the placeholders of a page. A placeholder without a value becomes empty. Values are escaped as text. */
export const fillTemplate = (page: string, values: Readonly<Record<string, string | null | undefined>>): string =>
  page.replace(/\{\{([a-z-]+)\}\}/g, (_, name: string) =>
    Object.hasOwn(values, name) ? escapeHtml(values[name] ?? '') : '',
  );

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
