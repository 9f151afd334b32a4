import type { Merged } from './kit/actor.ts';
import type { OperationRow } from './kit/operation.ts';
import { ownField } from './kit/own-field.ts';
import type { Manifest } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

const manifests: readonly Manifest[] = subsystems;

type OwnOperations = Merged<Extract<(typeof subsystems)[number], { readonly operations: unknown }>['operations']>;

/** The name of an operation that needs a person in front of the panel. */
export type Operation = keyof OwnOperations;

/** Every operation by its name; no two manifests declare the same one (a test). */
export const operations: Readonly<Record<Operation, OperationRow>> = Object.assign(
  {},
  // Each manifest brings its own, so all of them are present.
  ...manifests.map((manifest) => manifest.operations ?? {}),
) as Readonly<Record<Operation, OperationRow>>;

/** The operation of that name, undefined if no manifest declares it. */
export const operationOf = (name: string): OperationRow | undefined => ownField<OperationRow>(operations, name);

/** True for the name of an operation that a manifest declares. */
export const isOperation = (name: string): name is Operation => operationOf(name) !== undefined;
