import type { RouteDeps } from './deps.ts';

/**
 * Capabilities that are not there: those that the profile declares absent, and the broker while the entities go through
 * the integration in Home Assistant. Settings that need one are in no form.
 */
export function absentNow({ registry }: Pick<RouteDeps, 'registry'>): readonly string[] {
  const absent = registry.read('active-profile')?.context.absent ?? [];
  return registry.read('companion')?.context.surface === 'native' ? [...absent, 'mqtt'] : absent;
}
