import type { Merged } from './kit/actor.ts';
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

/** Status codes that problems answer with. */
export type ProblemStatus = (typeof httpStatusOf)[ProblemCode];
