import { describe, expect, test } from 'vitest';
import { offeredAbouts } from '#machines/history.ts';
import { daysOf } from '#ui/parts/history-days.ts';
import { HistoryPage } from '#ui/pages/history-page.tsx';
import { fixtureNow, fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

describe('the history', () => {
  const rows = [0, 1, 30, 9000].map((hours, index) => ({
    at: new Date(2026, 10, 23, 14, 3).getTime() - hours * 3_600_000,
    icon: ['mdi:tablet', 'mdi:lan-connect', 'mdi:alert', 'no-such-icon'][index] ?? '',
    sentence: `Number ${index}.`,
    times: 1,
  }));

  test('stands by days, with words for the last two', () => {
    const days = daysOf(rows, new Date(2026, 10, 23, 15).getTime());
    expect(days.map(({ title, rows: own }) => [title, own.length])).toEqual([
      ['Today', 2],
      ['Yesterday', 1],
      ['November 13, 2025', 1],
    ]);
    expect(daysOf(rows.slice(0, 1), new Date(2026, 10, 25, 0, 1).getTime())[0]?.title).toBe('Monday, November 23');
    expect(daysOf([], 0)).toEqual([]);
  });

  test('draws the icon of each entry, and a circle for one that it does not know', () => {
    const markup = markupOf(
      <HistoryPage
        status={fixtureStatus}
        days={daysOf(rows, fixtureNow)}
        about={null}
        offered={offeredAbouts}
        page={1}
        more={false}
      />,
    );
    const drawn = [...markup.matchAll(/<\/time><svg[^>]*><use href="#i-([a-z-]+)"/g)].map(([, icon]) => icon);
    expect(drawn).toEqual(['tablet', 'lan-connect', 'alert', 'circle-outline']);
  });

  test('keeps what it is narrowed down to on its further pages', () => {
    const markup = markupOf(
      <HistoryPage
        status={fixtureStatus}
        days={daysOf(rows, fixtureNow)}
        about="home"
        offered={['home', 'sound']}
        page={2}
        more={true}
      />,
    );
    expect(markup).toContain('href="/history?about=home" aria-current="page"');
    expect(markup).toContain('href="/history?about=home&amp;page=3"');
    expect(markup).toContain('<a class="button" href="/history?about=home">');
  });

  test('offers what the kinds of the subsystems are about, and no other', () => {
    expect(offeredAbouts).toEqual(['screen', 'dashboard', 'home', 'settings', 'sound', 'camera', 'agent']);
    const markup = markupOf(
      <HistoryPage status={fixtureStatus} days={[]} about={null} offered={['home', 'sound']} page={1} more={false} />,
    );
    const chips = [...markup.matchAll(/href="\/history\?about=(\w+)"/g)].map(([, about]) => about);
    expect(chips).toEqual(['home', 'sound']);
  });
});
