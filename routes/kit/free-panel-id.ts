import { freePanelId } from '#machines/kit/free-panel-id.ts';
import { panelSlug } from '#machines/kit/panel-slug.ts';
import { publisherView } from '#machines/publisher/phase.ts';
import { panelIdOf } from '#machines/publisher/topics.ts';
import type { RouteDeps } from './deps.ts';

/** Longest wait for the devices of Home Assistant, in milliseconds. */
const lookMs = 5_000;

/** A free id for this panel if another machine uses its own, by the devices that Home Assistant has; else null. */
export async function freeIdFor(deps: RouteDeps): Promise<string | null> {
  const publisher = deps.registry.read('publisher');
  const identity = deps.registry.read('identity')?.context;
  if (publisher === undefined || identity === undefined || publisherView(publisher).phase !== 'duplicate') return null;
  const topic = { kind: 'devices' } as const;
  const asked = await deps.registry.ask('home-assistant', { type: 'home-assistant.read', topic }, lookMs);
  const reading = asked.ok && asked.value.ok ? asked.value.reading : null;
  const devices = reading?.kind === 'devices' ? reading.devices : [];
  const used = devices.flatMap(({ identifiers }) => identifiers.flatMap(([, id]) => panelIdOf(id) ?? []));
  return freePanelId([identity.panelId, ...used], panelSlug(identity.friendlyName) || identity.panelId);
}
