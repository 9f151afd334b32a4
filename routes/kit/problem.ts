import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';

/** The one error shape of the machine API. */
export const Problem = z
  .object({
    ok: z.literal(false),
    error: z.string().meta({ description: 'Stable code.' }),
    message: z.string().meta({ description: 'What is wrong and what to do, in plain words.' }),
    reasons: z.record(z.string(), z.string()).optional().meta({ description: 'A sentence per refused field.' }),
  })
  .meta({ id: 'Problem', description: 'A refusal: what is wrong, and what to do.' });
export type Problem = z.infer<typeof Problem>;

/** Every reason a route can refuse with, and its status code: the only such table. */
const statusOf = {
  'peer-not-local': 403,
  'host-not-allowed': 403,
  'cross-origin-refused': 403,
  'invalid-body': 400,
  'invalid-query': 400,
  'invalid-config': 400,
  'bad-action': 400,
  'bad-value': 400,
  'bad-request': 400,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-here': 409,
  'request-timeout': 408,
  'request-too-large': 413,
  'expectation-failed': 417,
  'head-too-large': 431,
  'too-many-viewers': 429,
  'commit-failed': 500,
  internal: 500,
  'save-unknown': 503,
  restarting: 503,
  stopping: 503,
} as const;

/** A stable refusal code. */
export type ProblemCode = keyof typeof statusOf;

/** Status codes that problems answer with. */
export type ProblemStatus = (typeof statusOf)[ProblemCode];

/** HTTP status code of a refusal code. */
export const problemStatus = (code: ProblemCode): ProblemStatus => statusOf[code];

/** Refusals that pass by themselves: they carry `Retry-After`. */
export const isTransient = (code: ProblemCode): boolean => problemStatus(code) === 503 || code === 'too-many-viewers';

/** A refusal as a response; `reasons` names the offending fields. */
export const problem = (c: Context, code: ProblemCode, message: string, reasons?: Readonly<Record<string, string>>): Response => {
  const body: Problem = { ok: false, error: code, message, ...(reasons === undefined ? {} : { reasons: { ...reasons } }) };
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' };
  if (isTransient(code)) headers['Retry-After'] = '5';
  return c.json(body, statusOf[code], headers);
};

/** A part of the agent is being restarted by its supervisor: true for a moment, so the caller may try again. */
export const restarting = (c: Context, part: string): Response =>
  problem(c, 'restarting', `The part "${part}" is being restarted. Try again in a few seconds.`);
