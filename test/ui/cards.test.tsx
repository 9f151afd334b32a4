import { expect, test } from 'vitest';

import { eachCard } from '#ui/cards.ts';
import { StatusPage } from '#ui/pages/status-page.tsx';
import { controlsCard } from '#ui/parts/controls.tsx';
import { liveParts } from '#ui/parts/live.tsx';
import { settingsParts } from '#ui/parts/settings-parts.tsx';
import { setupParts } from '#ui/parts/setup-steps.tsx';
import { shellParts } from '#ui/parts/shell-parts.tsx';
import { summaryCard } from '#ui/parts/summary.tsx';
import { treeParts } from '#ui/parts/tree.tsx';
import { securityParts } from '#ui/parts/security.tsx';
import { aboutParts } from '#ui/parts/updates.tsx';
import { fixtureNow, fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

const page = markupOf(<StatusPage status={fixtureStatus} />);

test('no two parts that follow the status share a name', () => {
  const names = [
    ...eachCard.map(({ name }) => name),
    ...[shellParts, settingsParts, setupParts, treeParts, aboutParts, securityParts].flatMap((parts) =>
      Object.keys(parts),
    ),
  ];
  expect([...liveParts.keys()].toSorted()).toEqual(names.toSorted());
});

test('every card stands on the page once, in order', () => {
  const drawn = [...page.matchAll(/<sconce-live part="([^"]+)">/g)].map(([, name]) => name);
  expect(drawn.filter((name) => eachCard.some((card) => card.name === name))).toEqual(eachCard.map(({ name }) => name));
});

test('every icon that is drawn is sent along', () => {
  const drawn = [...page.matchAll(/href="#i-([^"]+)"/g)].map(([, name]) => name);
  expect(drawn.length).toBeGreaterThan(5);
  for (const name of drawn) expect(page).toContain(`<symbol id="i-${name}"`);
});

test('a sentence of the next step is no warning below it as well', () => {
  const twice = 'The last save failed because the disk is full. What was saved before is kept.';
  const next = { title: 'Free up disk space', sentence: `${twice} Free some.`, fix: null, href: null };
  const status = { ...fixtureStatus, setup: null, next, warnings: [twice, 'Another thing.'] };
  const draw = (setup: typeof fixtureStatus.setup): string =>
    markupOf(summaryCard.draw({ status: { ...status, setup }, now: fixtureNow }));
  expect(draw(null).split(twice)).toHaveLength(2);
  expect(draw(null)).toContain('Another thing.');
  // A setup that is due takes the place of the next step, so that the warning is needed.
  expect(draw(fixtureStatus.setup)).toContain(twice);
});

test.each([
  ['working', true],
  ['needs_you', false],
  ['not_here', false],
] as const)('the test sound is offered only where it can be heard: %s', (state, offered) => {
  const announcement = { phase: 'idle', reason: null, generation: 0, started_at: null, detail: 'x' } as const;
  const capabilities = fixtureStatus.capabilities.map((row, index) =>
    index === 0 ? { ...row, id: 'announcements', state } : row,
  );
  const status = { ...fixtureStatus, announcement, capabilities };
  expect(markupOf(controlsCard.draw({ status, now: fixtureNow })).includes('Test sound')).toBe(offered);
});
