/** One setting as the form needs it; the schema items of `/api/v1/config/schema` fit (as panel-assistant). */
export interface FormItem {
  readonly key: string;
  readonly type: 'BOOL' | 'INT' | 'LONG' | 'FLOAT' | 'ENUM' | 'STRING' | 'PASSWORD';
  readonly group: string;
  readonly label: string;
  readonly help: string | null;
  /** The default, always as text. */
  readonly default: string;
  readonly tier: 'BASIC' | 'ADVANCED';
  readonly secret: boolean;
  /** True for a reading that only Home Assistant shows; it cannot be set. */
  readonly readOnly: boolean;
  readonly options: readonly string[];
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  readonly maxLength: number | null;
  /** Whether Home Assistant can show it. */
  readonly ha: boolean;
  readonly unit?: string | null;
  readonly placeholder: string | null;
  readonly restart?: boolean;
}

/** The configuration in force; `<key>_set` flags say which secrets are set. */
export interface FormValues {
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly ha_expose: Readonly<Record<string, boolean>>;
}

/** Whether the secret `key` is set, from the `<key>_set` flag beside the settings. */
export const isSecretSet = (values: FormValues, key: string): boolean =>
  // The flags are named after the registry's secrets, so the type of the document cannot list them here.
  (values as unknown as Readonly<Record<string, unknown>>)[`${key}_set`] === true;

/** Groups in the order of the page. */
const order = [
  'identity',
  'home-assistant',
  'mqtt',
  'screen',
  'sound',
  'dashboard',
  'sensors',
  'system',
  'diagnostics',
];

/** One group of the form. */
export interface FormGroup {
  readonly id: string;
  readonly basic: readonly FormItem[];
  readonly advanced: readonly FormItem[];
}

/** Settable items by group, basic before advanced, groups in the page's order. */
export const groupItems = (items: readonly FormItem[]): readonly FormGroup[] => {
  const settable = items.filter((item) => !item.readOnly);
  const ids = [...new Set(settable.map((item) => item.group.toLowerCase()))];
  const place = (id: string): number => (order.includes(id) ? order.indexOf(id) : order.length);
  return ids
    .sort((a, b) => place(a) - place(b))
    .map((id) => {
      const members = settable.filter((item) => item.group.toLowerCase() === id);
      return {
        id,
        basic: members.filter((item) => item.tier === 'BASIC'),
        advanced: members.filter((item) => item.tier === 'ADVANCED'),
      };
    });
};

/** How tall a group is beside others, in fields; the broker's group also shows the connection. */
const height = (group: FormGroup): number =>
  1 +
  group.basic.length +
  (group.advanced.length === 0 ? 0 : 1) +
  (group.id === 'mqtt' || group.id === 'home-assistant' ? 2 : 0);

/** The groups in two columns of about one height, in their order. */
export const columnsOf = (groups: readonly FormGroup[]): readonly (readonly FormGroup[])[] => {
  const total = groups.reduce((sum, group) => sum + height(group), 0);
  let filled = 0;
  const first = groups.filter((group) => {
    const before = filled;
    filled += height(group);
    return before + height(group) / 2 <= total / 2;
  });
  return [first, groups.slice(first.length)];
};

/** Readings that Home Assistant can show and nobody can set. */
export const readingsOf = (items: readonly FormItem[]): readonly FormItem[] =>
  items.filter((item) => item.readOnly && item.ha);
