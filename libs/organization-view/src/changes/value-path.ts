import { z } from 'zod';
import { EntitlementsAnswer } from '../printed-entitlements';
import { publicDocumentSchema } from '../public-document';
import { keyedPaths } from '../steps/keyed-document';
import { fieldsOfEveryStep } from '../steps/step';

/**
 * The parts of the entitlements that have paths. In paths, these parts replace the document's fields of the same name.
 */
export const entitledFields = ['limits', 'features', 'traffic'] as const;

/** Whether a path leads to a value of the entitlements, not of the document. */
export const isEntitled = ([field]: readonly string[]): boolean => entitledFields.some((name) => name === field);

/** The first segments that a path can have. */
export const valueFields = (product: string): readonly string[] => Object.keys(shapeOf(product));

/**
 * Whether Charter can print a value at a path. The id of an entry may be any text. No path leads into a JSON array,
 * such as `because`.
 */
export const isValuePath = (names: readonly string[], product: string): boolean =>
  isWithin(z.object(shapeOf(product)), names, []);

/** Whether a path names an entry by its id, or a value inside an entry. */
export const namesEntry = (names: readonly string[]): boolean =>
  keyedPaths.some((path) => names.length > path.length && path.every((name, index) => names[index] === name));

/** Whether a path is one of `keyedPaths`, or is the beginning of one of them. */
export const isAboveEntries = (names: readonly string[]): boolean =>
  keyedPaths.some((path) => names.every((name, index) => path[index] === name));

function shapeOf(product: string): z.ZodRawShape {
  const document = Object.entries(publicDocumentSchema(product).shape).filter(
    ([field]) => !fieldsOfEveryStep.has(field),
  );
  const entitled = entitledFields.map((field) => [field, EntitlementsAnswer.shape[field]]);
  return Object.fromEntries([...document, ...entitled]) as z.ZodRawShape;
}

function isWithin(schema: unknown, [name, ...inner]: readonly string[], at: readonly string[]): boolean {
  if (name === undefined) return true;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodExactOptional)
    return isWithin(schema.unwrap(), [name, ...inner], at);
  if (schema instanceof z.ZodArray)
    return keyedPaths.some((path) => path.join('/') === at.join('/')) && isWithin(schema.element, inner, [...at, name]);
  if (!(schema instanceof z.ZodObject) || !Object.hasOwn(schema.shape, name)) return false;
  return isWithin((schema.shape as z.ZodRawShape)[name], inner, [...at, name]);
}
