/** The moment of every example, in milliseconds since the Unix epoch. */
const momentMs = 1_795_352_177_000;
const moment = new Date(momentMs).toISOString();

/** What is another value on each machine or in each run, by the name of its field. */
const fixed = new Map(
  Object.entries({
    manufacturer: 'Maker',
    model: 'Model',
    system: 'Debian GNU/Linux 13',
    build: 'abcdef01',
    digest: '1a2b3c4d',
    port: 8888,
    http_port: 8888,
    usable_bytes: 7_900_000_000,
    total_bytes: 27_000_000_000,
    used_percent: 70.7,
    database_bytes: 1_900,
    sidecar_bytes: 1_900,
    other_bytes: 4_000,
    memory_bytes: 412_000_000,
    process_age_ms: 3_600_000,
    sessionRemainingMs: 300_000,
    preview_token: 'abcdefghijklmnopqrstuvwxyz012345',
  }),
);

const isMoment = (value) => Number.isInteger(value) && value > 1.6e12 && value < 4e12;

const maskedText = (text) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, moment)
    .replaceAll(/\b[0-9a-f]{64}\b/g, '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b/g, '01234567-89ab-4cde-8f01-23456789abcd')
    .replaceAll(/(\w+)=(\S+)/g, (whole, name) =>
      fixed.has(name) ? `${name}=${String(fixed.get(name)).replaceAll(' ', '-')}` : whole,
    )
    .replaceAll(/^\[hardware\] .*$/gm, '[hardware] ram=4g cpus=4 clock_mhz=1800 virtual=none container=none')
    .replaceAll(/^[0-9a-f]{8}-\d+$/g, 'bab2f93b-2')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://192.168.1.10:8123')
    .replaceAll(/mqtt:\/\/127\.0\.0\.1:\d+/g, 'mqtt://192.168.1.10:1883')
    .replaceAll(/uptime=\w+/g, 'uptime=1h0m');

/** A value without what is another one on each machine and in each run. */
export function masked(value, name = '') {
  // A driver's is the name of a platform, not that of this machine.
  if (name === 'system' && /^[a-z]+$/.test(value)) return value;
  if (typeof value === 'string') return fixed.get(name) ?? maskedText(value);
  if (typeof value === 'number') {
    if (isMoment(value)) return momentMs;
    // Unmeasured stays so.
    if (value < 0) return value;
    return fixed.get(name) ?? (/(^|_)age(_|$)/.test(name) ? 1 : value);
  }
  if (Array.isArray(value)) return value.map((one) => masked(one, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one, key)]));
}

/** Lines of the diagnostics and the log that are shown; the rest is like them. */
const shownLines = new RegExp(
  [
    /^Sconce|Sconce started here|The agent is ready/,
    /^\[(captured|package|hardware|ha-network|screen|supervision)\]|^ {2}root|^ {4}base/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** What of a list is shown: one of several objects, or two of kinds that differ, and of words as many as are short. */
function someOf(list, name) {
  if (typeof list[0] === 'string') return list.slice(0, list.join('').length > 100 ? 1 : 2);
  if (typeof list[0] !== 'object' || list[0] === null) return list;
  const other = name === 'entries' ? list.find(({ kind }) => kind !== list[0].kind) : undefined;
  return [list[0], ...(other === undefined ? [] : [other])];
}

/** Fields that hold many alike by their names, and how many of them are shown. */
const alike = new Map(Object.entries({ settings: 2, ha_expose: 2, lights: 1, relays: 1, properties: 1, document: 3 }));

/** The same with one of several alike: enough to show their shape. */
export function shortened(value, name = '', inside = '') {
  if (typeof value === 'string' && /^Sconce .*\n|Sconce started here/.test(value))
    return value
      .split('\n')
      .filter((line) => line === '' || shownLines.test(line))
      .join('\n');
  if (Array.isArray(value)) {
    // Groups of the supervision tree that hold parts show what the tree is; no part has children.
    if (name === 'children' && inside === 'children') return [];
    return someOf(value, name).map((one) => shortened(one, '', name));
  }
  if (typeof value !== 'object' || value === null) return value;
  const all = Object.entries(value);
  const most = alike.get(name) ?? all.length;
  // Counts by kind are few, and each of them is another.
  const entries = all.length < 3 * most ? all : all.slice(0, most);
  return Object.fromEntries(entries.map(([key, one]) => [key, shortened(one, key, inside)]));
}
