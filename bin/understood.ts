import { parseBrokerAddress } from '#machines/mqtt/broker-address.ts';

type Settings = Readonly<Record<string, string>>;

/** A broker's address with the port that is used. */
function brokerWithPort(text: string): string {
  const address = parseBrokerAddress(text);
  if (!address.ok) return text;
  const { secure, host, port } = address.value;
  return `${secure ? 'mqtts' : 'mqtt'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The settings that are echoed, in this order, each as words; secrets are not among them. */
const words: readonly (readonly [key: string, words: (value: string) => string])[] = [
  ['friendly_name', (name) => `name ${name}`],
  ['panel_id', (id) => `panel id ${id}`],
  ['ha_url', (url) => `Home Assistant at ${url}`],
  ['mqtt_broker', (address) => `broker at ${brokerWithPort(address)}`],
  ['mqtt_user', (user) => `broker user ${user}`],
  ['home_dashboard', (path) => (path === '' ? 'the default dashboard' : `home dashboard ${path}`)],
];

/** How the settings of a command line were understood, in one sentence; null if it gives none. */
export function understood(settings: Settings): string | null {
  const said = words.flatMap(([key, say]) => {
    const value = settings[key];
    return value === undefined ? [] : [say(value)];
  });
  return said.length === 0 ? null : `Given to this panel: ${said.join(', ')}.`;
}
