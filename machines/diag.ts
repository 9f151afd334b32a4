import type { Facts, Manifest, TextLines } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

const manifests: readonly Manifest[] = subsystems;
const own = manifests.flatMap(({ diag }) => diag ?? []);

/** The lines of `/api/v1/diag` about the subsystems, with `further` ones of the caller at their places among them. */
export const projectDiag = (facts: Facts, further: readonly TextLines[]): readonly string[] =>
  [...own, ...further].toSorted((a, b) => a.place - b.place).flatMap(({ lines }) => lines(facts));
