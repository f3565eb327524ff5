/** A page with its placeholders replaced; what nobody gave is empty. Values are text, wherever they stand in the page. */
export const fillTemplate = (page: string, values: Readonly<Record<string, string | null | undefined>>): string =>
  page.replace(/\{\{([a-z-]+)\}\}/g, (_, name: string) =>
    Object.hasOwn(values, name) ? escapeHtml(values[name] ?? '') : '',
  );

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
