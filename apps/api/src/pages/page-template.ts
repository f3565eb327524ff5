/**
 * Replaces the placeholders in a page by values. Removes placeholders without a value. Values are escaped, so that they
 * are shown as text.
 */
export const fillTemplate = (page: string, values: Readonly<Record<string, string | null | undefined>>): string =>
  page.replace(/\{\{([a-z-]+)\}\}/g, (_, name: string) =>
    Object.hasOwn(values, name) ? escapeHtml(values[name] ?? '') : '',
  );

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
