import type { EntityState } from '../home-assistant/client.ts';
import type { Agent } from './agent.ts';
import { brokerUrl, marker } from './broker.ts';
import { until } from './until.ts';

/** Entity ids of a panel, as the contract spells them. */
interface PanelEntities {
  readonly screen: string;
  readonly volume: string;
  readonly home: string;
  readonly reboot: string;
  readonly storage: string;
  readonly cpu: string;
  readonly navigate: string;
  readonly reload: string;
}

/** One panel as Home Assistant knows it; each file of tests has its own in the Home Assistant that they share. */
export interface Panel {
  readonly id: string;
  readonly name: string;
  readonly entity: PanelEntities;
  /** Entities that every panel of this kind has; others are shown on request. */
  readonly always: readonly string[];
  /** Entities of the dashboard: there on every panel, and unavailable while no dashboard is shown. */
  readonly ofDashboard: readonly string[];
}

/** The panel with this id and this friendly name. */
export function panelCalled(id: string, name: string): Panel {
  const entity: PanelEntities = {
    screen: `light.${id}_screen`,
    volume: `number.${id}_volume`,
    home: `text.${id}_home_dashboard`,
    reboot: `button.${id}_reboot`,
    storage: `sensor.${id}_storage_health`,
    cpu: `sensor.${id}_diag_cpu`,
    navigate: `text.${id}_navigate`,
    reload: `button.${id}_reload`,
  };
  return {
    id,
    name,
    entity,
    always: [entity.screen, entity.volume, entity.home, entity.reboot, entity.storage],
    ofDashboard: [entity.navigate, entity.reload],
  };
}

/** Points an agent at the broker with the right password and waits until it is live. */
export async function join(agent: Agent, panel: Panel, brokerPort: number): Promise<void> {
  await agent.configure({
    panel_id: panel.id,
    friendly_name: panel.name,
    mqtt_broker: brokerUrl(brokerPort),
    mqtt_user: 'panel',
    mqtt_password: marker,
  });
  await agent.link('connected');
  await agent.publishing('live');
}

/** What differs between Home Assistant and the panel; empty when both say the same and every entity can be used. */
async function differences(
  states: ReadonlyMap<string, EntityState>,
  agent: Agent,
  { entity, always }: Panel,
): Promise<readonly string[]> {
  const sensors = await agent.sensors();
  const expected: Readonly<Record<string, string>> = {
    [entity.volume]: String(sensors.volume_pct),
    [entity.screen]: sensors.brightness > 0 ? 'on' : 'off',
  };
  const found: string[] = [];
  for (const id of always) {
    const seen = states.get(id);
    if (seen === undefined || seen.state === 'unavailable') found.push(`${id} is ${seen?.state ?? 'missing'}`);
    else if (expected[id] !== undefined && seen.state !== expected[id] && Number(seen.state) !== Number(expected[id])) {
      found.push(`${id} is ${seen.state}, the panel says ${expected[id]}`);
    }
  }
  const brightness = states.get(entity.screen)?.attributes['brightness'];
  if (sensors.brightness > 0 && brightness !== sensors.brightness)
    found.push(`brightness is ${String(brightness)}, the panel says ${sensors.brightness}`);
  return found;
}

/** Waits until Home Assistant and the panel agree; the error names what differs. */
export async function agree(
  states: ReadonlyMap<string, EntityState>,
  agent: Agent,
  panel: Panel,
  withinMs = 30_000,
): Promise<void> {
  let last: readonly string[] = [];
  await until(
    'Home Assistant and the panel agree',
    async () => (last = await differences(states, agent, panel)).length === 0,
    withinMs,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${last.join('; ')}`, { cause: error });
  });
}
