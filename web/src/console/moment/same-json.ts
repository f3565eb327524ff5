/** Whether two JSON values are equal, whatever the order of their fields is. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [fields, others] = [Object.entries(one), Object.entries(other)];
  const values = new Map<string, unknown>(others);
  return (
    fields.length === others.length &&
    fields.every(([name, value]) => values.has(name) && isSameJson(value, values.get(name)))
  );
}
