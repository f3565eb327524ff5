/** The key of an edition of a view. All rows of the edition contain this key. */
export type EditionKey = Readonly<{ view: string; edition: number }>;
