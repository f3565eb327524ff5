/** Creates each `Intl` format only once, because the creation takes longer than the formatting of a text. */
function cachedFormats<Style, Format>(create: (locale: string, style: Style) => Format) {
  const known = new Map<string, Format>();
  return (locale: string, style: Style): Format => {
    const key = `${locale} ${JSON.stringify(style)}`;
    const format = known.get(key) ?? create(locale, style);
    known.set(key, format);
    return format;
  };
}

export const numberFormat = cachedFormats(
  (locale, style: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, style),
);
export const dateFormat = cachedFormats(
  (locale, style: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, style),
);
