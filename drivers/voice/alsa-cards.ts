import { MOST_SOURCES, TITLE_LENGTH } from './recorder.ts';

/** A sound card that can record. */
export interface AlsaCard {
  readonly number: number;
  /** The kernel's short name, as in `plughw:CARD=<id>`. */
  readonly id: string;
  readonly title: string;
  /** Number of its first device that records. */
  readonly device: number;
}

/** The cards that can record, by `/proc/asound/cards` and `/proc/asound/pcm`, in the order of their numbers. */
export function parseCards(cards: string, pcm: string): readonly AlsaCard[] {
  const devices = new Map<number, number>();
  for (const [, card = '', device = ''] of pcm.matchAll(/^(\d{1,3})-(\d{1,3}): .*: capture \d+/gmu)) {
    const first = devices.get(Number(card)) ?? Infinity;
    devices.set(Number(card), Math.min(first, Number(device)));
  }
  return [...cards.matchAll(/^ *(\d{1,3}) \[([\w-]{1,32}) *\]: (?:.* - )?(.+)$/gmu)]
    .flatMap(([, number = '', id = '', title = '']) => {
      const device = devices.get(Number(number));
      return device === undefined
        ? []
        : [{ number: Number(number), id, title: title.trim().slice(0, TITLE_LENGTH), device }];
    })
    .slice(0, MOST_SOURCES);
}
