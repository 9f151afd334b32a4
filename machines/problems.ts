import type { Merged } from './kit/actor.ts';
import { ownField } from './kit/own-field.ts';
import { generalProblems } from './kit/problem-codes.ts';
import type { Manifest } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

const manifests: readonly Manifest[] = subsystems;

type OwnProblems = Merged<Extract<(typeof subsystems)[number], { readonly problems: unknown }>['problems']>;

/** Every refusal code with its HTTP status: the general ones and those of the subsystems. */
export const httpStatusOf = Object.assign(
  { ...generalProblems },
  // Each manifest brings its own codes, and no two share one (a test), so all of them are present.
  ...manifests.map(({ problems }) => problems ?? {}),
) as typeof generalProblems & OwnProblems;

/** A stable refusal code. */
export type ProblemCode = keyof typeof httpStatusOf;

/**
 * Codes that are being renamed: `error` has the older name until the next version, `code` the name that every route
 * uses.
 */
const renamed = { confirmation_required: 'not-confirmed' } as const satisfies Partial<Record<ProblemCode, ProblemCode>>;

/** The code of a refusal on every route, however `error` spells it. */
export type SharedCode = (typeof renamed)[keyof typeof renamed];

export const sharedCodes: readonly SharedCode[] = [...new Set(Object.values(renamed))];

/** The code of a refusal on every route; null if `error` is the only one. */
export const sharedCodeOf = (code: ProblemCode): SharedCode | null =>
  ownField<SharedCode>(renamed, code) ?? sharedCodes.find((one) => one === code) ?? null;

/** HTTP status of a problem. */
export type ProblemStatus = (typeof httpStatusOf)[ProblemCode];
