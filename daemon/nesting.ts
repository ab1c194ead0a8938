/** Whether arrays and objects of a JSON value lie in one another beyond so many levels. Goes no deeper than that itself. */
export function isNestedBeyond(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => isNestedBeyond(levels - 1, inner));
  // A body can have millions of objects: no list is made of the values of each.
  for (const name in value) if (isNestedBeyond(levels - 1, value[name as never])) return true;
  return false;
}
