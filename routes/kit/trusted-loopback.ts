import type { Context } from 'hono';

import { hostOf, isFromPanel } from './raw-request.ts';
import type { Env } from './route-spec.ts';

/** Headers by which a proxy says that it passes a request on. */
const ofProxy = /^(?:forwarded|x-forwarded-.*|x-real-ip|via)$/i;

/** Names under which a program on this machine addresses the panel. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * True if a request comes from a program on this machine: a page of another site whose name was rebound to the panel
 * has another Host, and a proxy names itself.
 */
export function isTrustedLoopback(c: Context<Env>): boolean {
  const head = c.env.incoming?.rawHeaders ?? [];
  const isPassedOn = head.some((name, index) => index % 2 === 0 && ofProxy.test(name));
  return isFromPanel(c) && !isPassedOn && ownHost.test(hostOf(c) ?? '');
}
