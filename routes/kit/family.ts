import type { Context } from 'hono';
import type { RouteDeps } from './deps.ts';
import type { Env, RouteSpec } from './declare.ts';

/** What a family of routes is given to declare itself with. */
export interface FamilyScope {
  readonly deps: RouteDeps;
  readonly declare: (spec: RouteSpec, handler: (c: Context<Env>) => Response | Promise<Response>) => void;
}

/** A family of routes of the contract: one file each. */
export type Family = (scope: FamilyScope) => void;
