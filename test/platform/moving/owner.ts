import type { HomeClient } from '../home-assistant/client.ts';
import type { Panel } from '../kit/panel.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The panel as Home Assistant has it registered, by one integration. */
export interface Registered {
  readonly platform: string;
  readonly deviceId: string;
  /** What the owner can choose for the device. */
  readonly device: Fields;
  /** The same for its entities, by the key of their rows. */
  readonly entities: Readonly<Record<string, Fields>>;
}

const ofEntity = [
  'entity_id',
  'name',
  'icon',
  'area_id',
  'labels',
  'aliases',
  'categories',
  'hidden_by',
  'disabled_by',
  'device_class',
];
const ofDevice = ['name_by_user', 'area_id', 'labels', 'disabled_by'];

/** The order of labels and aliases is not the owner's; an alias may be null. */
const inOrder = (one: unknown, two: unknown): number => String(one).localeCompare(String(two));

const picked = (from: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.map((name) => {
      const value = from[name] ?? null;
      return [name, Array.isArray(value) ? value.toSorted(inOrder) : value];
    }),
  );

/** What is chosen for an entity; options that an integration has for itself are not the owner's. */
function chosen(entry: Fields): Fields {
  const options = Object.entries((entry['options'] ?? {}) as Fields).filter(([name]) => !name.endsWith('.private'));
  return { ...picked(entry, ofEntity), options: Object.fromEntries(options.toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

/** All that Home Assistant has of the panel: each integration that has entities, or a device, of it. */
export async function registeredOf(client: HomeClient, { id }: Panel): Promise<readonly Registered[]> {
  const prefix = `sconce_${id}`;
  const devices =
    await client.call<readonly (Fields & { readonly identifiers: readonly (readonly string[])[] })[]>(
      'config/device_registry/list',
    );
  const listed = await client.call<readonly Fields[]>('config/entity_registry/list');
  const own = listed.filter(({ unique_id: unique }) => String(unique).startsWith(`${prefix}_`));
  const entries = await client.call<Readonly<Record<string, Fields>>>('config/entity_registry/get_entries', {
    entity_ids: own.map(({ entity_id: of }) => of),
  });
  const platforms = new Set([
    ...own.map(({ platform }) => String(platform)),
    ...devices.flatMap(({ identifiers }) =>
      identifiers.flatMap(([domain = '', of]) => (of === prefix ? [domain] : [])),
    ),
  ]);
  return [...platforms].map((platform) => {
    const device = devices.find(({ identifiers }) =>
      identifiers.some(([domain, of]) => domain === platform && of === prefix),
    );
    const entities = Object.values(entries)
      .filter(({ platform: of }) => of === platform)
      .map((entry): [string, Fields] => [String(entry['unique_id']).slice(prefix.length + 1), chosen(entry)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    return {
      platform,
      deviceId: String(device?.['id']),
      device: picked(device ?? {}, ofDevice),
      entities: Object.fromEntries(entities),
    };
  });
}

/** Ids that the owner gave. */
export const idsGiven = (panel: Panel) =>
  ({ volume: `number.${panel.id}_loudness`, storage: `sensor.disk_of_${panel.id}` }) as const;

/** Chooses for the entities of a panel what an owner can choose; returns what takes back what it made for that. */
export async function choose(
  client: HomeClient,
  panel: Panel,
  deviceId: string,
): Promise<(client: HomeClient) => Promise<void>> {
  const { area_id: kitchen } = await client.call<{ readonly area_id: string }>('config/area_registry/create', {
    name: `Kitchen of ${panel.name}`,
  });
  const { area_id: hall } = await client.call<{ readonly area_id: string }>('config/area_registry/create', {
    name: `Place of ${panel.name}`,
  });
  const { label_id: label } = await client.call<{ readonly label_id: string }>('config/label_registry/create', {
    name: `Label of ${panel.name}`,
  });
  const { category_id: category } = await client.call<{ readonly category_id: string }>(
    'config/category_registry/create',
    { scope: 'helpers', name: `Category of ${panel.name}` },
  );
  const update = (entityId: string, fields: object): Promise<unknown> =>
    client.call('config/entity_registry/update', { entity_id: entityId, ...fields });
  const { entity } = panel;
  await client.call('config/device_registry/update', {
    device_id: deviceId,
    area_id: hall,
    name_by_user: 'The panel in the hall',
    labels: [label],
  });
  await update(entity.screen, {
    name: 'Glow',
    icon: 'mdi:glowstick',
    area_id: kitchen,
    labels: [label],
    aliases: [null, 'the glow'],
    categories: { helpers: category },
  });
  await update(entity.volume, { new_entity_id: idsGiven(panel).volume, name: 'Loudness' });
  await update(entity.home, { hidden_by: 'user', labels: [label] });
  await update(entity.reboot, { disabled_by: 'user', icon: 'mdi:restart-off' });
  await update(entity.storage, { new_entity_id: idsGiven(panel).storage, area_id: kitchen });
  await client.call('homeassistant/expose_entity', {
    assistants: ['conversation'],
    entity_ids: [entity.screen],
    should_expose: true,
  });
  return async (last) => {
    for (const area of [kitchen, hall]) await last.call('config/area_registry/delete', { area_id: area });
    await last.call('config/label_registry/delete', { label_id: label });
    await last.call('config/category_registry/delete', { scope: 'helpers', category_id: category });
  };
}
