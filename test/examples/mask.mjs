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
    .replaceAll(/mqtt:\/\/127\.0\.0\.1:\d+/g, 'mqtt://192.168.1.10:1883')
    .replaceAll(/uptime=\w+/g, 'uptime=1h0m');

/** A value without what is another one on each machine and in each run. */
export const masked = (value, name = '') => {
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
};

/** Lines of the diagnostics that are shown, by how they begin; the rest is like them. */
const shownLines =
  /^(Sconce|\[(captured|package|hardware|ha-network|ha-path-probe|screen|supervision)\]| {2}root| {4}base)/;

/** How many of a list are shown: one of several objects, and of words as many as are short. */
const mostOf = (list) => {
  if (typeof list[0] === 'string') return list.join('').length > 100 ? 1 : 2;
  return typeof list[0] === 'object' && list[0] !== null ? 1 : list.length;
};

/** Fields that hold many alike by their names, and how many of them are shown. */
const alike = new Map(Object.entries({ settings: 2, ha_expose: 2, lights: 1, relays: 1 }));

/** The same with one of several alike: enough to show their shape. */
export const shortened = (value, name = '', inside = '') => {
  if (typeof value === 'string' && value.startsWith('Sconce '))
    return value
      .split('\n')
      .filter((line) => line === '' || shownLines.test(line))
      .join('\n');
  if (Array.isArray(value)) {
    // Groups of the supervision tree that hold parts show what the tree is; no part has children.
    if (name === 'children' && inside === 'children') return [];
    return value.slice(0, mostOf(value)).map((one) => shortened(one, '', name));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).slice(0, alike.get(name));
  return Object.fromEntries(entries.map(([key, one]) => [key, shortened(one, key, inside)]));
};
