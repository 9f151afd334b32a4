import type { ListedRequest, Place, SecurityMode } from '#machines/approvals/events.ts';
import { noPlaceWords } from '#machines/approvals/place-words.ts';

/** What a running agent lists. */
export interface Listing {
  readonly mode: SecurityMode;
  readonly place: Place;
  readonly requests: readonly ListedRequest[];
}

const MINUTE_MS = 60_000;

/** A time left in whole minutes, the last one in seconds; never 0. */
export function leftWords(ms: number): string {
  if (ms > MINUTE_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return `${Math.max(1, Math.ceil(ms / 1000))} s`;
}

/** The security mode, and where this panel asks. */
export function modeLines({ mode, place }: Omit<Listing, 'requests'>): readonly string[] {
  const says =
    mode === 'hardened'
      ? 'Hardened mode: a person at the panel must approve what others ask for.'
      : 'Relaxed mode: only what needs a person in every mode is asked at the panel.';
  const why = noPlaceWords(place);
  return [says, ...(why === null ? [] : [`It cannot ask: ${why}`])];
}

function requestLines({ title, what, who, state, leftMs, id }: ListedRequest): readonly string[] {
  return [
    '',
    `  ${title}`,
    ...(what === '' ? [] : [`      what: "${what}"`]),
    `      who:  ${who}`,
    `      left: ${leftWords(leftMs)}${state === 'approved' ? ', approved: it may be repeated once' : ''}`,
    `      id:   ${id}`,
  ];
}

/** The lines of `sconce approvals`. */
export const listingLines = ({ requests, ...mode }: Listing): readonly string[] => [
  ...modeLines(mode),
  ...(requests.length === 0 ? ['Nothing waits.'] : requests.flatMap(requestLines)),
];
