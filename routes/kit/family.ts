import type { Declare } from './declare.ts';
import type { RouteDeps } from './deps.ts';

export interface FamilyScope {
  readonly deps: RouteDeps;
  readonly declare: Declare;
}

/** A family of routes of the contract: one file each. */
export type Family = (scope: FamilyScope) => void;
