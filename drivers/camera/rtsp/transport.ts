/** How a client gets its packets. */
export type Transport =
  | { readonly by: 'tcp'; readonly channels: readonly [data: number, control: number] }
  | { readonly by: 'udp'; readonly ports: readonly [data: number, control: number] };

/** Alternatives that are looked at in one header. */
const MOST_ALTERNATIVES = 8;
const LOWEST_PORT = 1024;
const HIGHEST_PORT = 65_535;
const HIGHEST_CHANNEL = 255;

/** `4-5` or `4`, whose second number is the next one; null unless both are different and within the range. */
function readPair(text: string, lowest: number, highest: number): readonly [number, number] | null {
  const [, first, second] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  if (first === undefined) return null;
  const pair = [Number(first), second === undefined ? Number(first) + 1 : Number(second)] as const;
  return pair[0] !== pair[1] && pair.every((one) => one >= lowest && one <= highest) ? pair : null;
}

function readAlternative(text: string): Transport | null {
  const [protocol = '', ...parameters] = text.split(';').map((part) => part.trim());
  const named = new Map(
    parameters.map((parameter) => {
      const [name = '', value = ''] = parameter.split('=', 2);
      return [name.toLowerCase(), value.replaceAll('"', '')];
    }),
  );
  if (named.has('multicast') || !['', 'play'].includes((named.get('mode') ?? '').toLowerCase())) return null;
  const kind = protocol.toUpperCase();
  if (kind === 'RTP/AVP/TCP') {
    const channels = readPair(named.get('interleaved') ?? '0-1', 0, HIGHEST_CHANNEL);
    return channels === null ? null : { by: 'tcp', channels };
  }
  if (kind !== 'RTP/AVP' && kind !== 'RTP/AVP/UDP') return null;
  const ports = readPair(named.get('client_port') ?? '', LOWEST_PORT, HIGHEST_PORT);
  return ports === null ? null : { by: 'udp', ports };
}

/**
 * The alternatives of a `Transport` header that can be served, in the client's order. A `destination` is ignored:
 * packets go only to the address that the connection comes from.
 */
export const readTransports = (header: string): readonly Transport[] =>
  header
    .split(',', MOST_ALTERNATIVES)
    .map(readAlternative)
    .filter((transport) => transport !== null);
