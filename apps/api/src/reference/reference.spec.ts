import { html, marked } from '../pages/html';
import { sampleOf } from './samples';
import { fieldsView, typeOf } from './schema-view';

describe('Template html', () => {
  it('escapes inserted texts, and keeps inserted HTML', () => {
    const inner = html`<b>${'<script>"&'}</b>`;
    expect(html`<p>${inner}${[inner, 3]}${false}</p>`.text).toBe(
      '<p><b>&#60;script&#62;&#34;&#38;</b><b>&#60;script&#62;&#34;&#38;</b>3</p>',
    );
  });

  it('shows code and strong text of a description, and escapes all other markup', () => {
    expect(marked('Send `a<b` **now** <i>').text).toBe('Send <code>a&#60;b</code> <strong>now</strong> &#60;i&#62;');
  });
});

describe('Sample of a schema', () => {
  it('is the example of the schema, or has its required properties', () => {
    const schemas = { Role: { enum: ['owner', 'admin'] }, Tree: { properties: { of: { $ref: '#/x/Tree' } } } };
    expect(sampleOf({ examples: [7] }, schemas)).toBe(7);
    const properties = { role: { $ref: '#/x/Role' }, note: { type: 'string' }, id: { type: 'string', format: 'uuid' } };
    expect(sampleOf({ type: 'object', properties, required: ['role', 'id'] }, schemas)).toEqual({
      role: 'owner',
      id: '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11',
    });
    expect(sampleOf({ type: 'array', items: { type: 'integer', minimum: 4 } }, schemas)).toEqual([4]);
  });

  it('ends if a schema contains itself', () => {
    const schemas = { Tree: { properties: { of: { $ref: '#/x/Tree' } }, required: ['of'] } };
    expect(sampleOf({ $ref: '#/x/Tree' }, schemas)).toMatchObject({ of: { of: {} } });
    expect(JSON.stringify(sampleOf({ $ref: '#/x/Tree' }, schemas)).match(/of/g)).toHaveLength(4);
  });
});

describe('View of a schema', () => {
  it('shows each object among which a value chooses, named by its type', () => {
    const command = (type: string, field: string) => ({
      properties: { type: { enum: [type] }, data: { properties: { [field]: { type: 'string' } } } },
    });
    const commands = { type: 'array', items: { oneOf: [command('AddSite', 'hostname'), command('EndPlan', 'line')] } };
    const view = fieldsView({ properties: { commands } }).text;
    expect(view).toContain('list of one of 2 objects');
    for (const part of ['<summary><code>AddSite</code></summary>', '<code>hostname</code>', '<code>line</code>'])
      expect(view).toContain(part);
  });

  it('names types, bounds and required properties, and links to named schemas', () => {
    expect(typeOf({ anyOf: [{ $ref: '#/components/schemas/Since' }, { type: 'null' }] }).text).toBe(
      '<a href="#schema-Since">Since</a> or null',
    );
    const name = { type: 'string', minLength: 1, maxLength: 200, description: 'As people see it' };
    const view = fieldsView({ properties: { name }, required: ['name'] }).text;
    for (const part of ['<code>name</code>', 'string', 'required', '1 to 200 characters', 'As people see it'])
      expect(view).toContain(part);
  });
});
