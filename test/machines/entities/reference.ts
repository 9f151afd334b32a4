import { entityRows } from '#machines/entities.ts';
import type { AnyRow } from '#machines/kit/entity.ts';
import { descriptors } from '#machines/settings.ts';

/** What an owner should know of an entity beyond its name; the rest is in its row of the catalogue. */
const remarks: ReadonlyMap<string, string> = new Map([
  ['screen', 'on, off and brightness; switched by a touch too'],
  ['screen_2', 'further displays'],
  ['button', 'the hardware buttons that the profile names; its attributes say which one'],
  ['reboot', 'restarts the machine'],
  ['led', 'colour, brightness and effects, as far as the LED has them'],
  ['illuminance', 'how bright the room is'],
  ['temperature', 'at the panel, which warms itself: correct it on Configure'],
  ['humidity', 'at the panel; can be corrected on Configure'],
  ['proximity', 'someone is near; unavailable until calibrated on the page Proximity, which takes two minutes'],
  ['proximity_level', 'how near, in %'],
  ['navigate', 'set it to a path such as `/lovelace/door` to show that page; its state is the path shown'],
  ['reload', 'loads the dashboard again'],
  ['home_dashboard', 'the path of the dashboard that the panel returns to'],
  ['storage_health', 'free space and the state of what Sconce stores; details are its attributes'],
  ['volume', 'of what the panel plays'],
  ['camera_enabled', 'on only after a person at the panel agrees; off at once'],
  ['camera_snapshot', 'fetched when it is looked at, which opens the camera; unavailable while the camera is off'],
  ['zigbee_gateway_health', 'if the profile declares a Zigbee gateway'],
]);

const shownAtFirst = new Map(descriptors.map(({ key, exposedByDefault }) => [key, exposedByDefault]));

/** Rows that differ by a number alone are one line: name and key without it. */
const familyOf = ({ entityKind, key }: AnyRow): string => `${entityKind}.${key.replace(/_?\d+$/, '')}`;

/** What Home Assistant shows of it: the range of a number, the words of a choice, the unit of a reading. */
function valuesOf(row: AnyRow): string {
  const unit = row.unit === undefined ? '' : ` ${row.unit}`;
  if (row.entityKind === 'number') return `${row.range.min} to ${row.range.max}${unit}`;
  if (row.entityKind === 'select') return row.options.join(', ');
  return unit.trim();
}

function lineOf(rows: readonly [AnyRow, ...AnyRow[]]): string {
  const [first] = rows;
  const last = rows.at(-1) ?? first;
  const ids = `\`${first.entityKind}.<panel>_${first.key}\`${rows.length === 1 ? '' : ` to \`_${last.key}\``}`;
  const name = rows.length === 1 ? first.name : `${first.name} to ${/\d+$/.exec(last.name)?.[0] ?? last.name}`;
  const ticked = first.expose !== undefined && shownAtFirst.get(first.expose) === false ? 'no' : 'yes';
  return `| ${ids} | ${name} | ${valuesOf(first)} | ${ticked} | ${remarks.get(first.key) ?? ''} |`;
}

/** The table of all entities, from the one catalogue of them. */
export function entityTable(): string {
  const families = new Map<string, [AnyRow, ...AnyRow[]]>();
  for (const row of entityRows) {
    // The first screen differs from the others: it is always there.
    const family = row.key === 'screen' ? 'screen' : familyOf(row);
    const rows = families.get(family);
    if (rows === undefined) families.set(family, [row]);
    else rows.push(row);
  }
  return [
    '| entity | called | values | at first | |',
    '|---|---|---|---|---|',
    ...[...families.values()].map((rows) => lineOf(rows)),
  ].join('\n');
}

/** Keys that have a remark, and no entity. */
export const unknownRemarks = (): readonly string[] =>
  [...remarks.keys()].filter((key) => !entityRows.some((row) => row.key === key));
