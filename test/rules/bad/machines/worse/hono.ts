import type { Context } from 'hono';

export const of = (context: Context): string => context.req.path;
