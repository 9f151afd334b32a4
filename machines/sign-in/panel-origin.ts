import { isInside, parseAddress, parseIpv4, parsePrefix, type IpPrefix } from '../kit/ip-address.ts';
import { ok, refuse } from '../kit/result.ts';
import type { Result } from '../kit/result.ts';

/** Longest `Host` header that a sign-in is started from, in characters (as panel-assistant). */
const HOST_LENGTH = 512;

const ranges = (...texts: readonly string[]): readonly IpPrefix[] =>
  texts.map(parsePrefix).filter((prefix) => prefix !== null);

const LOOPBACK = ranges('127.0.0.0/8', '::1/128');
/**
 * Addresses that Home Assistant accepts in a client id (its `util/network.py`, 2026.11.0); the shared space 100.64/10
 * is not among them.
 */
const ACCEPTED = [
  ...LOOPBACK,
  ...ranges('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', '169.254.0.0/16', 'fe80::/10'),
];

const LABELS =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/;

/**
 * The origin that the browser knows the panel by, strictly from the request's `Host`: `http://192.168.1.40:8888`.
 * Anything odd is refused, since Home Assistant sends the person back there with a code.
 */
export function panelOrigin(host: string | null, ownPort: number): Result<string, 'bad-origin'> {
  const odd = refuse(
    'bad-origin',
    'This page was opened at an address that no sign-in can return to. Open it by the panel’s name or its network address.',
  );
  if (host === null || host === '' || host.length > HOST_LENGTH) return odd;
  const [, name = '', portText] = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/.exec(host) ?? [];
  const port = portText === undefined ? ownPort : Number(portText);
  if (name === '' || port < 1 || port > 65_535) return odd;
  const shown = name.toLowerCase();
  if (
    shown.startsWith('[')
      ? parseAddress(shown.slice(1, -1)) === null
      : parseIpv4(shown) === null && (!LABELS.test(shown) || /^[\d.]+$/.test(shown))
  )
    return odd;
  // As browsers and Home Assistant write it: port 80 is left out.
  return ok(`http://${shown}${port === 80 ? '' : `:${port}`}`);
}

function hostOf(origin: string): string {
  const authority = origin.replace(/^[a-z]+:\/\//, '');
  return authority.startsWith('[') ? authority.slice(1, authority.indexOf(']')) : (authority.split(':')[0] ?? '');
}

/** True if an origin leads back to the machine that opens it. */
export function isLoopback(origin: string): boolean {
  const host = hostOf(origin);
  const address = parseAddress(host);
  return address === null
    ? host === 'localhost' || host.endsWith('.localhost')
    : LOOPBACK.some((range) => isInside(address, range));
}

/**
 * Why a sign-in from `panel` at `homeAssistant` would fail, known before it begins; null if no reason is known.
 */
export function foreseeRefusal(
  panel: string,
  homeAssistant: string,
): { readonly code: 'origin-refused-by-platform' | 'address-loops-back'; readonly message: string } | null {
  const address = parseAddress(hostOf(panel));
  if (address !== null && !ACCEPTED.some((range) => isInside(address, range)) && panel !== homeAssistant) {
    return {
      code: 'origin-refused-by-platform',
      message:
        'Home Assistant sends nobody back to this address of the panel: it is neither private nor a name. Open this page by the panel’s name or by its address on your own network, or enter a long-lived access token under Configure.',
    };
  }
  if (isLoopback(homeAssistant) && !isLoopback(panel)) {
    return {
      code: 'address-loops-back',
      message:
        'The address of Home Assistant under Configure leads back to the device that opens it, so only the panel itself can use it. Enter the address by which Home Assistant is reached on your network.',
    };
  }
  return null;
}
