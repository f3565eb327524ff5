/** A problem as OpenAPI describes it; reasons add their own facts. */
export const problemSchema = {
  type: 'object' as const,
  required: ['type', 'title', 'status', 'detail', 'instance'],
  properties: {
    type: { type: 'string' as const, description: 'What went wrong, for programs: /problems/<reason>' },
    title: { type: 'string' as const },
    status: { type: 'integer' as const },
    detail: { type: 'string' as const, description: 'What went wrong, for people' },
    instance: { type: 'string' as const, description: 'The id of the request' },
    errors: {
      type: 'array' as const,
      items: {
        type: 'object' as const,
        properties: { path: { type: 'string' as const }, message: { type: 'string' as const } },
      },
    },
  },
};
