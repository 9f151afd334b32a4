import { expect, test } from 'vitest';

import { freePanelId } from '#machines/kit/free-panel-id.ts';
import { PANEL_ID_LENGTH } from '#machines/kit/panel-slug.ts';

const longest = 'x'.repeat(PANEL_ID_LENGTH);

test.each<[readonly string[], string, string]>([
  [[], 'kitchen', 'kitchen'],
  [['hall', 'kitchen_2'], 'kitchen', 'kitchen'],
  [['kitchen'], 'kitchen', 'kitchen_2'],
  [['kuche'], 'Küche', 'kuche_2'],
  [[], '!', 'panel'],
  [['panel'], '日本', 'panel_2'],
  [['kitchen', 'kitchen_2', 'kitchen_3'], 'kitchen', 'kitchen_4'],
  [['kitchen', 'kitchen_3'], 'kitchen', 'kitchen_2'],
  [['kitchen_2'], 'kitchen_2', 'kitchen_3'],
  [['kitchen_9'], 'kitchen_9', 'kitchen_10'],
  [['kitchen_99'], 'kitchen_99', 'kitchen_100'],
  [['kitchen_100'], 'kitchen_100', 'kitchen_100_2'],
  [['hall_2024'], 'hall_2024', 'hall_2024_2'],
  [['raspberrypi_3f2a'], 'raspberrypi_3f2a', 'raspberrypi_3f2a_2'],
  [['pi_05'], 'pi_05', 'pi_05_2'],
  [['7'], '7', '7_2'],
  [[longest], longest, `${'x'.repeat(61)}_2`],
  [[`${'x'.repeat(60)}_yz`], `${'x'.repeat(60)}_yz`, `${'x'.repeat(60)}_2`],
])('where %j are taken, %s becomes %s', (taken, wished, free) => {
  const id = freePanelId(taken, wished);
  expect(id).toBe(free);
  expect(id).toMatch(/^[a-z0-9_]{1,63}$/);
});
