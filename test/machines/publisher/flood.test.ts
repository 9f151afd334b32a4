import { describe, expect, it } from 'vitest';

import { arrive, calm, type Flood, FLOOD_BURST, FLOOD_PAUSE_MS, release, turned } from '#machines/publisher/flood.ts';

const join = (older: string, newer: string): string => `${older}+${newer}`;
const empty = (now: number): Flood<string> => ({ ...calm(now), allowed: 0 });

describe('commands of an entity that is told', () => {
  it('go on as they come, as many as the bound allows', () => {
    let flood: Flood<string> = calm(0);
    const ran: string[] = [];
    for (let n = 0; n < FLOOD_BURST + 2; n += 1) {
      const step = arrive(flood, String(n), 0, join);
      flood = step.flood;
      if (step.next !== null) ran.push(step.next.command);
    }
    expect(ran).toHaveLength(FLOOD_BURST);
    expect(flood.waiting).toEqual({ command: `${FLOOD_BURST}+${FLOOD_BURST + 1}` });
  });

  it('keep their order: what comes while one waits joins it, although more would be allowed again', () => {
    const waiting = arrive(empty(0), 'first', 0, join).flood;
    const step = arrive(waiting, 'second', FLOOD_PAUSE_MS * 5, join);
    expect(step).toMatchObject({ next: null, flood: { waiting: { command: 'first+second' } } });
    expect(release(step.flood, FLOOD_PAUSE_MS * 5).next).toEqual({ command: 'first+second' });
  });

  it.each([
    ['nothing is given back before a pause is over', FLOOD_PAUSE_MS - 1, 0],
    ['one for each pause', FLOOD_PAUSE_MS * 3 + 1, 3],
    ['never more than the bound', FLOOD_PAUSE_MS * 1000, FLOOD_BURST],
  ])('%s', (_, now, allowed) => {
    const { flood } = arrive({ ...empty(0), waiting: { command: 'x' } }, 'y', now, join);
    expect(flood.allowed).toBe(allowed);
  });

  it('counts the part of a pause that has passed', () => {
    const first = arrive({ ...empty(0), waiting: { command: 'x' } }, 'y', FLOOD_PAUSE_MS * 1.5, join).flood;
    expect(arrive(first, 'z', FLOOD_PAUSE_MS * 2, join).flood.allowed).toBe(2);
  });

  it('are allowed again once the event loop has turned, unless one waits', () => {
    expect(turned(empty(0), 5)).toEqual(calm(5));
    const waiting: Flood<string> = { ...empty(0), waiting: { command: 'x' } };
    expect(turned(waiting, 5)).toBe(waiting);
  });

  it('are free again once nothing waits', () => {
    const step = release({ ...empty(0), waiting: { command: 'x' } }, FLOOD_PAUSE_MS);
    expect(step.flood).toMatchObject({ allowed: 0, waiting: null });
    expect(release(calm(0), 0).next).toBeNull();
  });
});
