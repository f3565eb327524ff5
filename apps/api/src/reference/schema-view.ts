import { type Html, html, marked } from '../pages/html';
import { componentOf, type JsonSchema } from './document';

/** The type of a value in a few words. A named schema is a link to its description on the page. */
export function typeOf(schema: JsonSchema): Html {
  const name = componentOf(schema);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  const { anyOf, oneOf, items } = schema;
  const choices = anyOf ?? oneOf;
  if (choices) return choiceOf(choices);
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) return html`${schema.enum.map((one, at) => html`${at > 0 && ' or '}<code>${printed(one)}</code>`)}`;
  if (schema.type === 'array') return html`list${items && html` of ${typeOf(items)}`}`;
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object' && !schema.properties)
    return html`object, each value ${typeOf(schema.additionalProperties)}`;
  const types = [schema.type ?? 'any value'].flat().join(' or ');
  return html`${types}${schema.format !== undefined && ` (${schema.format})`}`;
}

/** The types among which a value chooses. Several objects without names count as a single type. */
function choiceOf(choices: readonly JsonSchema[]): Html {
  const objects = choices.filter(isObject);
  const others = choices.filter((one) => !isObject(one)).map(typeOf);
  const counted = objects.length > 1 ? html`one of ${objects.length} objects` : html`object`;
  const all = objects.length > 0 ? [...others, counted] : others;
  return html`${all.map((one, at) => html`${at > 0 && ' or '}${one}`)}`;
}

const isObject = ({ properties }: JsonSchema) => properties !== undefined;

/** The properties of an object, of the elements of a list, or of each object among which a value chooses. */
function partsOf(schema: JsonSchema): Html | undefined {
  if (isObject(schema)) return fieldsView(schema);
  if (schema.items) return partsOf(schema.items);
  const objects = (schema.anyOf ?? schema.oneOf ?? []).filter(isObject);
  if (objects.length < 2) return objects[0] && fieldsView(objects[0]);
  return html`${objects.map(
    (one) =>
      html`<details>
        <summary>${kindOf(one)}</summary>
        ${fieldsView(one)}
      </details>`,
  )}`;
}

/** The words for one of several objects: the value of its property `type`, or the names of its properties. */
function kindOf({ properties = {} }: JsonSchema): Html {
  const { type } = properties;
  const kind = type?.const ?? (type?.enum?.length === 1 ? type.enum[0] : undefined);
  if (kind !== undefined) return html`<code>${printed(kind)}</code>`;
  return html`object with ${Object.keys(properties).map((name, at) => html`${at > 0 && ', '}<code>${name}</code>`)}`;
}

const printed = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The bounds of a value as a sentence, for example "1 to 200 characters"; empty without bounds. */
function boundsOf(schema: JsonSchema): string {
  const bounds = [
    rangeOf(schema.minimum, schema.maximum, ''),
    rangeOf(schema.minLength, schema.maxLength, ' characters'),
    rangeOf(schema.minItems, schema.maxItems, ' elements'),
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ];
  return bounds.filter(Boolean).join('; ');
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return '';
  if (least === undefined) return `at most ${most}${unit}`;
  return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
}

/** One named value: a property, a parameter or a header. */
export const fieldView = (name: string, schema: JsonSchema, isRequired: boolean, description?: string): Html => {
  const words = description ?? schema.description;
  const bounds = boundsOf(schema);
  return html`<div>
    <dt>
      <code>${name}</code>
      <span class="type">${typeOf(schema)}</span>${isRequired && html` <span class="must">required</span>`}
    </dt>
    <dd>
      ${words !== undefined && html`<p>${marked(words)}</p>`}${bounds !== '' && html`<p>${bounds}</p>`}${partsOf(schema)}
    </dd>
  </div>`;
};

/** The properties of an object. */
export const fieldsView = ({ properties = {}, required = [] }: JsonSchema): Html =>
  html`<dl class="fields">
    ${Object.entries(properties).map(([name, schema]) => fieldView(name, schema, required.includes(name)))}
  </dl>`;

/** A schema with its description, its type if it is not a single object, and its properties. */
export const schemaView = (schema: JsonSchema): Html =>
  html`${schema.description !== undefined && html`<p>${marked(schema.description)}</p>`}${
    !isObject(schema) && html`<p class="type">${typeOf(schema)}</p>`
  }${partsOf(schema)}`;
