import type { Context } from 'hono';
import { companionDocument } from '#machines/companion/document.ts';
import type { CompanionPageProps } from '#ui/pages/companion-page.tsx';
import type { RouteDeps } from './kit/deps.ts';
import { reachableOrigin } from './kit/panel-address.ts';
import { type Refusal, restarting } from './kit/problem.ts';
import type { Env } from './kit/route-spec.ts';

/** What the page `/companion` draws; a refusal while a part that it needs restarts. */
export function companionPageOf(
  c: Context<Env>,
  deps: RouteDeps,
): { readonly ok: true; readonly props: Omit<CompanionPageProps, 'status'> } | Refusal<'restarting'> {
  const facts = deps.registry.read('companion')?.context;
  if (facts === undefined || facts.clients === null) return restarting('companion');
  const origin = reachableOrigin(c, deps);
  return {
    ok: true,
    props: { companion: companionDocument(facts), address: origin === null ? null : new URL(origin).host },
  };
}
