import type { EntityState } from '../home-assistant/client.ts';
import type { Agent } from './agent.ts';
import { Broker } from './broker.ts';
import { Home, type HomeOptions } from '../home-assistant/home.ts';
import { until } from './until.ts';

/** Panel id of the agent under test. */
export const panelId = 'hall';

/** A password that appears nowhere else, so that finding it anywhere is a leak. */
export const marker = 'Marker-7f3a19c4d2e8';

/** Entity ids of the panel, as the contract spells them. */
export const entity = {
  screen: `light.${panelId}_screen`,
  volume: `number.${panelId}_volume`,
  home: `text.${panelId}_home_dashboard`,
  reboot: `button.${panelId}_reboot`,
  storage: `sensor.${panelId}_storage_health`,
  cpu: `sensor.${panelId}_diag_cpu`,
  navigate: `text.${panelId}_navigate`,
  reload: `button.${panelId}_reload`,
} as const;

/** Entities that every panel of this kind has; others are shown on request. */
export const always: readonly string[] = [entity.screen, entity.volume, entity.home, entity.reboot, entity.storage];

/** Entities of the dashboard: there on every panel, and unavailable while no dashboard is shown. */
export const ofDashboard: readonly string[] = [entity.navigate, entity.reload];

/** A broker that wants a password, and a Home Assistant connected to it. */
export const startPlatform = async (
  options: HomeOptions = {},
): Promise<{ readonly broker: Broker; readonly home: Home }> => {
  const broker = await Broker.start({ panel: marker, home: 'home-password', observer: 'observer-password' });
  try {
    const home = await Home.start(
      { port: broker.port, username: 'home', password: broker.passwordOf('home') },
      options,
    );
    return { broker, home };
  } catch (error) {
    await broker.stop();
    throw error;
  }
};

/** Points an agent at the broker with the right password and waits until it is live. */
export const join = async (agent: Agent, broker: Broker): Promise<void> => {
  await agent.configure({
    panel_id: panelId,
    friendly_name: 'Hall panel',
    mqtt_broker: broker.url,
    mqtt_user: 'panel',
    mqtt_password: marker,
  });
  await agent.link('connected');
  await agent.publishing('live');
};

/** What differs between Home Assistant and the panel; empty when both say the same and every entity can be used. */
export const differences = async (
  states: ReadonlyMap<string, EntityState>,
  agent: Agent,
): Promise<readonly string[]> => {
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
};

/** Waits until Home Assistant and the panel agree; the error names what differs. */
export const agree = async (
  states: ReadonlyMap<string, EntityState>,
  agent: Agent,
  withinMs = 15_000,
): Promise<void> => {
  let last: readonly string[] = [];
  await until(
    'Home Assistant and the panel agree',
    async () => (last = await differences(states, agent)).length === 0,
    withinMs,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${last.join('; ')}`, { cause: error });
  });
};
