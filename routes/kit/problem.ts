import { z } from 'zod';
import type { Context } from 'hono';
import { httpStatusOf, type ProblemCode, type ProblemStatus, sharedCodeOf, sharedCodes } from '#machines/problems.ts';
import { noStore } from './no-store.ts';
import { restartingPart } from '#machines/kit/objection.ts';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';

export type { ProblemCode } from '#machines/problems.ts';

/** A refusal as a value: a stable code, one plain sentence, and a sentence for each invalid field. */
export interface Refusal<C extends ProblemCode = ProblemCode> {
  readonly ok: false;
  readonly reason: C;
  readonly message: string;
  readonly reasons?: Readonly<Record<string, string>>;
  /** How many entities a dashboard receives now and would receive then; null for all. */
  readonly change?: { readonly before: number | null; readonly after: number | null };
  /** Set if the request waits for a person at the panel. */
  readonly approvalId?: string;
  /** The cause as a code, for answers whose clients read `reason` (voice, as panel-assistant). */
  readonly cause?: string;
  /** Why the camera gives no picture, as in the camera object. */
  readonly camera?: { readonly fault_detail: string | null; readonly action: string };
}

const codes = Object.keys(httpStatusOf) as [ProblemCode, ...ProblemCode[]];

/** Id of a request that waits for a person at the panel. */
export const ApprovalId = once(() =>
  z.string().regex(/^[0-9a-f]{32}$/, { error: 'An approval id has 32 lower-case hexadecimal digits.' }),
);

/** The one error shape of the machine API. */
export const Problem = once(() =>
  z
    .object({
      ok: z.literal(false).meta({ description: 'Nothing was done.' }),
      error: z.enum(codes).meta({ description: 'Stable code.' }),
      code: z.enum(sharedCodes).optional().meta({
        description:
          'The same, for a refusal that routes used to spell in two ways; in this version `error` keeps the older spelling.',
      }),
      message: z.string().meta({ description: 'What is wrong and what to do, in plain words.' }),
      reasons: z.record(z.string(), z.string()).optional().meta({ description: 'A sentence per refused field.' }),
      change: z
        .object({
          before: z.int().nullable().meta({ description: 'Now; null for all.' }),
          after: z.int().nullable().meta({ description: 'Once it is confirmed; null for all.' }),
        })
        .optional()
        .meta({ description: 'How many entities a dashboard receives.' }),
      approval_id: ApprovalId()
        .optional()
        .meta({ description: 'With `approval-required`: `/api/v1/approvals/{id}` tells its state.' }),
      reason: z.string().optional().meta({ description: 'Of voice: the cause as a code.' }),
      fault_detail: z.string().nullable().optional().meta({ description: 'Of the camera: as in the camera object.' }),
      action: z.string().optional().meta({ description: 'Of the camera: as in the camera object.' }),
    })
    .meta({ id: 'Problem', description: 'A refusal: what is wrong, and what to do.' }),
);
export type Problem = z.infer<ReturnType<typeof Problem>>;

/** The refusal of a protected request that waits for a person, for the document: a `Problem` with its id. */
export const ApprovalRequired = once(() =>
  z
    .object({
      ok: z.literal(false).meta({ description: 'Nothing was done yet.' }),
      error: z.literal('approval-required' satisfies ProblemCode).meta({ description: 'Stable code.' }),
      approval_id: ApprovalId().meta({ description: '`/api/v1/approvals/{id}` tells its state.' }),
      message: z.string().meta({ description: 'What to do, in plain words.' }),
    })
    .meta({
      id: 'ApprovalRequired',
      description: 'It waits for a person at the panel. Once it is approved, send the same request again.',
    }),
);

export const problemStatus = (code: ProblemCode): ProblemStatus => httpStatusOf[code];

/** Seconds for `Retry-After`, after which a temporary refusal may be over; null for all others. */
export function retryAfterOf(code: ProblemCode): number | null {
  if (code === 'too-many-tries' || code === 'too-many-approvals') return 60;
  return problemStatus(code) === 503 || code === 'too-many-viewers' ? 5 : null;
}

/** Sentences by field in well-formed text. */
const wellFormed = (reasons: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(reasons).map(([name, words]) => [name.toWellFormed(), words.toWellFormed()]));

/** A refusal as it is sent. A name that it repeats may have been cut in the middle of a character. */
export function problemSent({ reason, message, reasons, change, approvalId, cause, camera }: Refusal): {
  readonly status: ProblemStatus;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem;
} {
  const code = sharedCodeOf(reason);
  const seconds = retryAfterOf(reason);
  return {
    status: httpStatusOf[reason],
    headers: { ...noStore, ...(seconds === null ? {} : { 'Retry-After': String(seconds) }) },
    body: {
      ok: false,
      error: reason,
      ...(code === null ? {} : { code }),
      message: message.toWellFormed(),
      ...(reasons === undefined ? {} : { reasons: wellFormed(reasons) }),
      ...(change === undefined ? {} : { change }),
      ...(approvalId === undefined ? {} : { approval_id: approvalId }),
      ...(cause === undefined ? {} : { reason: cause }),
      ...camera,
    },
  };
}

export function problem(c: Context, refusal: Refusal): Response {
  const { status, headers, body } = problemSent(refusal);
  return c.json(body, status, headers);
}

/** A part of the agent is being restarted by its supervisor, so the caller may try again in a moment. */
export const restarting = (part: string): Refusal<'restarting'> => refuse('restarting', restartingPart(part).message);
