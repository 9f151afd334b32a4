import type { Manifest, ProjectionInput, TextLines } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

const manifests: readonly Manifest[] = subsystems;
const own = manifests.flatMap(({ diag }) => diag ?? []);

/** The lines of `/api/v1/diag` about the subsystems, with `further` ones of the caller in their order among them. */
export const projectDiag = (input: ProjectionInput, further: readonly TextLines[]): readonly string[] =>
  [...own, ...further].toSorted((a, b) => a.order - b.order).flatMap(({ lines }) => lines(input));
