import { ok, refuse, type Result } from '../kit/result.ts';
import type { ReadAt, SoundKind } from './events.ts';

/** Bytes read to tell containers, and playlists, from other data. */
const HEAD = 512;

/** Most ID3 tags before a sound: some tools write two. */
const MOST_TAGS = 4;

const latin = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

/** Length of an ID3v2 tag in bytes with its header and footer (id3.org, 2.4.0, section 3.1); 0 if there is none. */
function tagLength(head: Uint8Array): number {
  const [, , , , , flags = 0, a = 0, b = 0, c = 0, d = 0] = head;
  if (head.length < 10 || latin(head, 0, 3) !== 'ID3' || (a | b | c | d) >= 0x80) return 0;
  return 10 + ((a << 21) | (b << 14) | (c << 7) | d) + ((flags & 0x10) === 0 ? 0 : 10);
}

/**
 * Frame header of MPEG audio layer II or III, or of ADTS (layer bits 0); layer I is left out, since it looks like a
 * UTF-16 byte-order mark.
 */
function frameKind(head: Uint8Array): 'mp3' | 'aac' | null {
  const [first = 0, second = 0, third = 0] = head;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  const layer = (second >> 1) & 3;
  if (layer === 0) return (second & 0xf0) === 0xf0 && ((third >> 2) & 15) < 13 ? 'aac' : null;
  const isReserved = layer === 3 || ((second >> 3) & 3) === 1 || third >> 4 === 15 || ((third >> 2) & 3) === 3;
  return isReserved ? null : 'mp3';
}

function containerKind(head: Uint8Array): SoundKind | null {
  const mark = latin(head, 0, 4);
  const second = latin(head, 4, 8);
  const third = latin(head, 8, 12);
  if (mark === 'RIFF' && third === 'WAVE') return 'wav';
  if (mark === 'OggS') return 'ogg';
  if (mark === 'fLaC') return 'flac';
  if (second === 'ftyp') return 'mp4';
  if (mark === '\x1aE\xdf\xa3') return 'matroska';
  if (mark === 'FORM' && (third === 'AIFF' || third === 'AIFC')) return 'aiff';
  if (mark === '.snd') return 'au';
  return null;
}

/**
 * Playlists, which name other sources: m3u, m3u8, pls, concat, EDL, cue, SDP, ASX, SMIL, XSPF, DASH, QuickTime
 * references, bare addresses and paths.
 */
const LIST =
  /^(?:#extm3u|#ext-|#extinf|\[playlist\]|\[reference\]|ffconcat\b|file\s|# ?mpv edl|v=0|<\?xml|<(?:asx|smil|mpd|playlist)\b|rtsptext|\/|[a-z][a-z\d+.-]*:\/\/)/i;

function isList(head: Uint8Array): boolean {
  // Ignore a byte-order mark and the zeros of UTF-16.
  const text = latin(head, 0, head.length)
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replace(/\0/g, '')
    .trimStart();
  return LIST.test(text);
}

/**
 * The type of a fetched file, by its first bytes and never by what its source claims. Only single sounds are allowed:
 * a playlist could name files of this machine or other servers (`playlist`), and anything else is `not-audio`.
 */
export function soundKind(read: ReadAt): Result<SoundKind, 'empty' | 'playlist' | 'not-audio'> {
  let offset = 0;
  let head = read(0, HEAD);
  if (head.length === 0) return refuse('empty', 'The source sent nothing.');
  for (let tags = 0; tags < MOST_TAGS; tags += 1) {
    const length = tagLength(head);
    if (length === 0) break;
    offset += length;
    head = read(offset, HEAD);
  }
  const kind =
    offset === 0 ? (containerKind(head) ?? frameKind(head)) : latin(head, 0, 4) === 'fLaC' ? 'flac' : frameKind(head);
  if (kind !== null) return ok(kind);
  return isList(head)
    ? refuse('playlist', 'The source sent a playlist instead of a sound.')
    : refuse('not-audio', 'The source sent nothing that can be played as sound.');
}
