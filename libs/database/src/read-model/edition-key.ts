/** Identifies one edition of a view, and so the documents that belong to it. */
export type EditionKey = Readonly<{ view: string; edition: number }>;
