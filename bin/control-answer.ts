import { z } from 'zod';
import { noPlaceReasons } from '#machines/approvals/events.ts';
import { once } from '#machines/kit/once.ts';
import type { Listing } from './approvals-text.ts';

/** Most requests, and longest text of one in characters, that are taken of an agent: more than any has. */
const MOST = 64;
const LONGEST = 500;

const mode = once(() => z.enum(['relaxed', 'hardened']));

const text = once(() => z.string().max(LONGEST));

const Listed = once(() =>
  z.object({
    ok: z.literal(true),
    mode: mode(),
    place: z.union([
      z.object({ kind: z.enum(['screen', 'simulator']) }),
      z.object({ kind: z.literal('none'), reason: z.enum(noPlaceReasons) }),
    ]),
    requests: z
      .array(
        z.object({
          id: z.string().regex(/^[\da-f]{32}$/),
          title: text(),
          what: text(),
          who: text(),
          state: z.enum(['pending', 'approved']),
          leftMs: z.number(),
        }),
      )
      .max(MOST),
  }),
);

/** What the agent lists; null if the answer is none of its. */
export function listingIn(answer: unknown): Listing | null {
  const parsed = Listed().safeParse(answer);
  return parsed.success ? parsed.data : null;
}

/** True if the agent has denied the request. */
export const isDenied = (answer: unknown): boolean =>
  z.object({ ok: z.literal(true), denied: z.string() }).safeParse(answer).success;

/** True if the agent is in Relaxed mode after it was asked to. */
export const isRelaxed = (answer: unknown): boolean =>
  z.object({ ok: z.literal(true), mode: z.literal('relaxed') }).safeParse(answer).success;
