import { expect, test } from 'vitest';

import { isRequestedPath } from '#drivers/renderer/path-match.ts';
import { placeOf } from '#drivers/renderer/place.ts';

test.each([
  ['/lovelace', '/lovelace', true],
  ['/lovelace', '/lovelace/0', true],
  ['/lovelace/kitchen?edit=0#top', '/lovelace/kitchen', true],
  ['/lovelace/k%C3%BCche', '/lovelace/küche', true],
  ['/lovelace/50%', '/lovelace/50%', true],
  ['/', '/home/overview', true],
  ['', '/home/overview', true],
  ['/unknown', '/home/overview', false],
  ['/lovelace/kitchen', '/lovelace', false],
  ['/lovelace', '/lovelace-two', false],
])('asked for %s, at %s: %s', (asked, actual, fits) => {
  expect(isRequestedPath(asked, actual)).toBe(fits);
});

const homeAssistant = { origin: 'http://home:8123', ownOrigin: 'http://127.0.0.1:8888', status: 200 };

test.each([
  [{ ...homeAssistant, url: 'http://home:8123/lovelace/0' }, 'dashboard'],
  [{ ...homeAssistant, url: 'http://home:8123/lovelace/0', status: 0 }, 'dashboard'],
  [{ ...homeAssistant, url: 'http://home:8123/old', status: 404 }, 'error'],
  [{ ...homeAssistant, url: 'http://home:8123/auth/authorize?x=1' }, 'login'],
  [{ ...homeAssistant, url: 'http://home:8123/onboarding.html' }, 'onboarding'],
  [{ ...homeAssistant, url: 'http://127.0.0.1:8888/glass' }, 'own'],
  [{ ...homeAssistant, url: 'http://127.0.0.1:8888/glass', status: 503 }, 'own'],
  [{ ...homeAssistant, url: 'http://home:8124/' }, 'other'],
  [{ ...homeAssistant, url: 'https://home:8123/' }, 'other'],
  [{ ...homeAssistant, origin: null, url: 'http://home:8123/' }, 'other'],
  [{ ...homeAssistant, url: 'chrome-error://chromewebdata/' }, 'error'],
  [{ ...homeAssistant, url: 'about:blank' }, 'blank'],
  [{ ...homeAssistant, origin: null, url: 'data:text/html,x' }, 'other'],
])('%o is %s', (facts, place) => {
  expect(placeOf(facts)).toBe(place);
});
