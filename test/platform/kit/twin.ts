import type { EntityState, HomeClient } from '../home-assistant/client.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One entity as Home Assistant has registered and shows it, without what names its panel or its integration. */
interface Shown {
  readonly registered: Fields;
  readonly state: string;
  readonly attributes: Fields;
}

/** A panel in Home Assistant: its device, and its entities by the key of their rows. */
export interface ShownPanel {
  readonly device: Fields;
  readonly entities: ReadonlyMap<string, Shown>;
}

const ofDevice = ['manufacturer', 'model', 'name', 'sw_version', 'hw_version', 'serial_number', 'entry_type'];
const ofEntity = [
  'entity_id',
  'unique_id',
  'original_name',
  'original_icon',
  'entity_category',
  'original_device_class',
  'device_class',
  'capabilities',
  'has_entity_name',
  'disabled_by',
  'hidden_by',
  'options',
];

/** The fields named, with the id of the panel taken out of texts. */
function picked(from: Fields, names: readonly string[], panelId: string): Fields {
  return Object.fromEntries(
    names.map((name) => {
      const value = from[name] ?? null;
      if (typeof value !== 'string') return [name, value];
      // Each picture has a token of its own.
      return [name, value.replaceAll(panelId, 'PANEL').replace(/token=\w+/, 'token=TOKEN')];
    }),
  );
}

/** What Home Assistant has of the panel `panelId` by an integration (`mqtt` or `sconce`). */
export async function shownPanel(
  client: HomeClient,
  states: ReadonlyMap<string, EntityState>,
  domain: 'mqtt' | 'sconce',
  panelId: string,
): Promise<ShownPanel> {
  const devices =
    await client.call<readonly (Fields & { readonly identifiers: readonly (readonly string[])[] })[]>(
      'config/device_registry/list',
    );
  const device = devices.find(({ identifiers }) =>
    identifiers.some(([owner, id]) => owner === domain && id === `sconce_${panelId}`),
  );
  if (device === undefined) throw new Error(`there is no device of ${panelId}`);
  const listed = await client.call<readonly Fields[]>('config/entity_registry/list');
  const ids = listed.flatMap(({ device_id: of, entity_id: id }) => (of === device['id'] ? [String(id)] : []));
  const entries = await client.call<Readonly<Record<string, Fields>>>('config/entity_registry/get_entries', {
    entity_ids: ids,
  });
  const entities = Object.entries(entries).map(([id, entry]): [string, Shown] => {
    const key = String(entry['unique_id']).slice(`sconce_${panelId}_`.length);
    const { state = 'missing', attributes = {} } = states.get(id) ?? {};
    return [
      key,
      {
        registered: picked(entry, ofEntity, panelId),
        state,
        attributes: picked(attributes, Object.keys(attributes).toSorted(), panelId),
      },
    ];
  });
  return { device: picked(device, ofDevice, panelId), entities: new Map(entities) };
}
