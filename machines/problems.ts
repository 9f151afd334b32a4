import type { Merged } from './kit/actor.ts';
import { ownField } from './kit/own-field.ts';
import { generalProblems } from './kit/problem-codes.ts';
import type { Manifest } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

const manifests: readonly Manifest[] = subsystems;

type OwnProblems = Merged<Extract<(typeof subsystems)[number], { readonly problems: unknown }>['problems']>;

/** Every reason for which a request is refused, and its status code: the general ones and those of the subsystems. */
export const httpStatusOf = Object.assign(
  { ...generalProblems },
  // Each manifest brings its own codes and no two the same one (a test), so all of them are there.
  ...manifests.map(({ problems }) => problems ?? {}),
) as typeof generalProblems & OwnProblems;

/** A stable refusal code. */
export type ProblemCode = keyof typeof httpStatusOf;

/**
 * Codes that are going to have another name: `error` has the older one until the version after this, `code` the one
 * that every route gives.
 */
const renamed = { confirmation_required: 'not-confirmed' } as const satisfies Partial<Record<ProblemCode, ProblemCode>>;

/** A code that a refusal is known by in every route, however `error` spells it. */
export type SharedCode = (typeof renamed)[keyof typeof renamed];

/** All of them. */
export const sharedCodes: readonly SharedCode[] = [...new Set(Object.values(renamed))];

/** The code that a refusal has in every route; null where `error` is all there is. */
export const sharedCodeOf = (code: ProblemCode): SharedCode | null =>
  ownField<SharedCode>(renamed, code) ?? sharedCodes.find((one) => one === code) ?? null;

/** Status codes that problems answer with. */
export type ProblemStatus = (typeof httpStatusOf)[ProblemCode];
