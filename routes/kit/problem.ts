import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { httpStatusOf, type ProblemCode, type ProblemStatus } from '#machines/problems.ts';
import { noStore } from './no-store.ts';

export type { ProblemCode } from '#machines/problems.ts';

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

/** HTTP status code of a refusal code. */
export const problemStatus = (code: ProblemCode): ProblemStatus => httpStatusOf[code];

/** Refusals that pass by themselves: they carry `Retry-After`. */
export const isTransient = (code: ProblemCode): boolean => problemStatus(code) === 503 || code === 'too-many-viewers';

/** A refusal as a response; `reasons` names the offending fields. */
export const problem = (
  c: Context,
  code: ProblemCode,
  message: string,
  reasons?: Readonly<Record<string, string>>,
): Response => {
  const body: Problem = {
    ok: false,
    error: code,
    message,
    ...(reasons === undefined ? {} : { reasons: { ...reasons } }),
  };
  const headers: Record<string, string> = { ...noStore };
  if (isTransient(code)) headers['Retry-After'] = '5';
  return c.json(body, httpStatusOf[code], headers);
};

/** A part of the agent is being restarted by its supervisor: true for a moment, so the caller may try again. */
export const restarting = (c: Context, part: string): Response =>
  problem(c, 'restarting', `The part "${part}" is being restarted. Try again in a few seconds.`);
