import type { Advertisement, DesiredAdvertisement } from './events.ts';

/** Longest label in bytes (RFC 1035), less the suffix that a responder adds to a name that is taken (` (99)`). */
const LABEL_BYTES = 63 - 7;
/** Longest value of a TXT entry in bytes: 255 (RFC 6763, 6.1) less the longest key with its `=`. */
const VALUE_BYTES = 255 - 6;

function bytesOf(char: string): number {
  const point = char.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

/** The longest prefix of a text that fits into `bytes` of UTF-8, without control characters. */
function fitted(text: string, bytes: number): string {
  let taken = '';
  let left = bytes;
  for (const char of text.replaceAll(/\p{Cc}/gu, ' ')) {
    left -= bytesOf(char);
    if (left < 0) break;
    taken += char;
  }
  return taken;
}

/**
 * The advertisement: the instance is named after the panel id, which is unique in a house; the friendly name is in the
 * TXT record.
 */
export const advertisementOf = ({ panelId, friendlyName, version, port }: DesiredAdvertisement): Advertisement => ({
  instance: fitted(panelId, LABEL_BYTES),
  // A separate host name: the machine's own belongs to the system's responder, if one runs.
  host: fitted(`sconce-${panelId.replaceAll('_', '-')}`, LABEL_BYTES).replace(/-+$/, ''),
  port,
  txt: {
    ver: fitted(version, VALUE_BYTES),
    caps: 'tts',
    path: '/play',
    // By which Home Assistant knows a panel that has moved to another address.
    id: panelId,
    name: fitted(friendlyName === '' ? panelId : friendlyName, VALUE_BYTES),
  },
});
