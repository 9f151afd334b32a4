import { expect, test } from 'vitest';

import { eachCard } from '#ui/cards.ts';
import { StatusPage } from '#ui/pages/status-page.tsx';
import { liveParts } from '#ui/parts/live.tsx';
import { settingsParts } from '#ui/parts/settings-parts.tsx';
import { setupParts } from '#ui/parts/setup-steps.tsx';
import { shellParts } from '#ui/parts/shell-parts.tsx';
import { treeParts } from '#ui/parts/tree.tsx';
import { aboutParts } from '#ui/parts/updates.tsx';
import { fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

const page = markupOf(<StatusPage status={fixtureStatus} />);

test('no two parts that follow the status share a name', () => {
  const names = [
    ...eachCard.map(({ name }) => name),
    ...[shellParts, settingsParts, setupParts, treeParts, aboutParts].flatMap((parts) => Object.keys(parts)),
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
