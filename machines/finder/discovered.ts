import type { FoundInstance, Discovered } from './events.ts';
import { outcomeOf } from './outcome.ts';

/** A bare http or https URL: nothing before the host name and nothing after the port. */
const BARE = /^https?:\/\/[^\s/?#@\\]{1,260}\/?$/i;

/**
 * The Home Assistant that was found; null unless there is exactly one. Its own `internal_url` takes precedence, since
 * only that says whether it uses TLS.
 */
export function discoveredOf(instances: readonly FoundInstance[]): Discovered | null {
  const { outcome, host } = outcomeOf(instances);
  const [first] = instances;
  if (outcome !== 'found' || host === null || first === undefined) return null;
  const { internalUrl, port } = first;
  return { host, url: internalUrl !== null && BARE.test(internalUrl) ? internalUrl : `http://${host}:${port}` };
}
