import type { Body } from './kind.ts';

/** The columns for those wire fields that the body has; `undefined` counts as absent. */
export function pick<C extends string>(body: Body, columnByField: Record<string, C>): Partial<Record<C, never>> {
  const columns: Partial<Record<C, unknown>> = {};
  for (const [field, column] of Object.entries(columnByField)) {
    if (body[field] !== undefined) columns[column] = body[field];
  }
  return columns as Partial<Record<C, never>>;
}

export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** Deliberately plain: something, one @, a domain with a dot, no spaces. Only a delivered message proves more. */
const emailPattern = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;
export const isEmail = (email: string): boolean => email.length <= 320 && emailPattern.test(email);
