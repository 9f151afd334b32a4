import type { FoundInstance, Discovered } from './events.ts';
import { outcomeOf } from './outcome.ts';

/** A bare http or https address: nothing before the host name, and nothing after its port. */
const BARE = /^https?:\/\/[^\s/?#@\\]{1,260}\/?$/i;

/**
 * What is told of the instances seen: nothing where there is not exactly one. Its own word on its address goes first,
 * since only that knows of TLS.
 */
export function discoveredOf(instances: readonly FoundInstance[]): Discovered | null {
  const { outcome, host } = outcomeOf(instances);
  const [first] = instances;
  if (outcome !== 'found' || host === null || first === undefined) return null;
  const { internalUrl, port } = first;
  return { host, url: internalUrl !== null && BARE.test(internalUrl) ? internalUrl : `http://${host}:${port}` };
}
