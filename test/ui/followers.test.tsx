import { describe, expect, it } from 'vitest';
import { StatusDocument } from '#machines/status.ts';
import type { Section } from '#machines/status/compare.ts';
import { type Follower, notifyFollowers } from '#ui/elements/followers.ts';
import { eachCard } from '#ui/cards.ts';
import { liveParts } from '#ui/parts/live.tsx';
import type { DrawnPart, PartProps } from '#ui/parts/sections.ts';
import { fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

const sections = Object.keys(StatusDocument().shape).filter((name): name is Section => name !== 'taken_at');

describe('the parts of a page', () => {
  const start = () => {
    const drawn: string[] = [];
    const all: Follower[] = [
      ...sections.map((name): Follower => [() => void drawn.push(name), [name]]),
      [() => void drawn.push('headline'), ['state', 'sentence', 'next']],
    ];
    const tell = (status: StatusDocument, changed?: object): void => notifyFollowers(all, status, changed);
    return { tell, drawn, all };
  };

  it('are drawn again where a section that they read has changed, and nowhere else', () => {
    const { tell, drawn } = start();
    expect(sections.length).toBeGreaterThan(35);
    tell(fixtureStatus, { volume: fixtureStatus.volume });
    expect(drawn.splice(0)).toEqual(['volume']);
    // What went away is null.
    tell(fixtureStatus, { zigbee_gateway: null });
    expect(drawn.splice(0)).toEqual(['zigbee_gateway']);
    tell(fixtureStatus, { sentence: '', state: 'working' });
    expect(drawn).toEqual(['state', 'sentence', 'headline']);
  });

  it('are not drawn again where nothing has', () => {
    const { tell, drawn } = start();
    tell(fixtureStatus, {});
    expect(drawn).toEqual([]);
  });

  it('are all drawn of a whole status, and always where they read all of it', () => {
    const { tell, drawn, all } = start();
    tell(fixtureStatus);
    expect(drawn.splice(0)).toEqual([...sections, 'headline']);
    all.push([() => void drawn.push('everything')]);
    tell(fixtureStatus, { volume: null });
    expect(drawn).toEqual(['volume', 'everything']);
  });
});

/** A status of which only those sections can be read. */
const only = (reads: readonly string[]) =>
  new Proxy(fixtureStatus, {
    get: (status, name) => {
      if (!reads.includes(String(name))) throw new Error(`reads ${String(name)}, which it does not list`);
      return Reflect.get(status, name) as unknown;
    },
  });

describe('what a part reads', () => {
  it.each([...liveParts])('%s: is what it lists', (_, { reads, draw }) => {
    expect(reads.length).toBeGreaterThan(0);
    expect(sections).toEqual(expect.arrayContaining([...reads]));
    expect(new Set(reads).size).toBe(reads.length);
    expect(() => markupOf(draw({ status: only(reads), now: fixtureStatus.taken_at }))).not.toThrow();
  });

  it('is refused by the compiler where it is not listed', () => {
    const list = ['volume'] as const;
    const own = ({ status: { volume } }: PartProps<['volume']>) => <p>{volume?.percent}</p>;
    const other = ({ status: { screen } }: PartProps<['screen']>) => <p>{screen?.brightness}</p>;
    const part = { reads: list, draw: own } satisfies DrawnPart<typeof list>;
    // @ts-expect-error -- it draws a section that it does not list
    const wrong = { reads: list, draw: other } satisfies DrawnPart<typeof list>;
    // @ts-expect-error -- it does not say what it reads
    const silent = { reads: list, draw: own } satisfies DrawnPart;
    expect([part, wrong, silent].map(({ reads }) => reads)).toEqual([list, list, list]);
  });

  it('of each card is some of the status', () => {
    expect(eachCard.map(({ reads }) => reads.length).every((count) => count > 0 && count < 12)).toBe(true);
  });
});
