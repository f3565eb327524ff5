import { type CatalogueProblem, checkCatalogue } from '@charter/catalogue';
import type { z } from 'zod';
import type { CatalogueCheckAnswer } from './catalogue.answers';

/** The maximum number of problems in an answer. */
const PROBLEMS_MAX = 100;

/**
 * The maximum length of a problem's path, and of its message. The path and the message can contain texts of the caller,
 * such as a long field name.
 */
const LENGTH_MAX = 500;

/**
 * Checks the text of a catalogue exactly as a server with these settings does at its start. A hostile text cannot cause
 * a huge answer.
 */
export function checkedText(text: string, planProviderIds: readonly string[]): z.infer<typeof CatalogueCheckAnswer> {
  const problems = checkCatalogue(text, planProviderIds);
  const more = problems.length - PROBLEMS_MAX;
  return {
    ok: problems.length === 0,
    problems: problems.slice(0, PROBLEMS_MAX).map(shortened),
    ...(more > 0 && { more }),
  };
}

const shortened = ({ path, line, column, message }: CatalogueProblem): CatalogueProblem => ({
  path: shortText(path),
  line,
  column,
  message: shortText(message),
});

/**
 * Shortens a text. Replaces each lone half of a surrogate pair, because some JSON parsers refuse such a half. A field
 * name can contain a lone half, and a shortened text can end with one.
 */
const shortText = (text: string) =>
  (text.length <= LENGTH_MAX ? text : `${text.slice(0, LENGTH_MAX - 1)}…`).toWellFormed();
