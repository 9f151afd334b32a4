import { expect, test } from 'vitest';
import type { CompanionDocument } from '#machines/companion/document.ts';
import { companionExample } from '#machines/companion/document.ts';
import type { StatusDocument } from '#machines/status.ts';
import { CompanionPage } from '#ui/pages/companion-page.tsx';
import { companionVerdict } from '#ui/parts/companion-verdict.ts';
import { CompanionView } from '#ui/parts/companion-view.tsx';
import { fixtureNow, fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

const [connected] = companionExample.clients;
if (connected === undefined) throw new Error('the example has a Home Assistant');
const client: CompanionDocument['clients'][number] = { ...connected, paired_at: fixtureNow - 120_000 };
const away = { ...client, connected: false, phase: null, version: null, used_at: fixtureNow - 60_000 };

const draw = (more: Partial<CompanionDocument>, isLive = false): string =>
  markupOf(
    <CompanionView
      companion={{ ...companionExample, clients: [client], ...more }}
      verdict={null}
      now={fixtureNow}
      isLive={isLive}
    />,
  );
const words = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

test('who is paired, and the way back to the broker', () => {
  const page = draw({});
  expect(words(page)).toMatch(/through its Sconce integration.* Home Connection connected, version 2026\.11\.0/);
  expect(words(page)).toContain('Paired 2 min ago');
  expect(page).toContain('data-move="mqtt"');
  expect(page).toContain(`data-revoke="${client.key_id}"`);
});

test('buttons need the script', () => {
  const buttons = (markup: string) => markup.match(/<button[^>]*data-(?:revoke|move)[^>]*>/g) ?? [];
  expect(buttons(draw({}))).toHaveLength(2);
  for (const button of buttons(draw({}))) expect(button).toContain(' disabled');
  for (const button of buttons(draw({}, true))) expect(button).not.toContain(' disabled');
});

test('over the broker the entities can move once a Home Assistant is connected', () => {
  expect(draw({ surface: 'mqtt' })).toContain('data-move="native"');
  for (const clients of [[], [away]]) {
    const page = draw({ surface: 'mqtt', clients });
    expect(page).not.toContain('data-move');
    expect(words(page)).toContain('Pair a Home Assistant first');
  }
  expect(words(draw({ clients: [] }))).toContain('No Home Assistant is paired. Install the integration');
  expect(words(draw({ clients: [away] }))).toContain('Last connected 1 min ago');
  expect(words(draw({ clients: [{ ...away, used_at: null }] }))).toContain('never connected');
});

test('what is under way, and what stays at the broker', () => {
  const page = draw({ moving: { to: 'mqtt', step: 'release' }, stays: ['homeassistant/light/hall/config'] });
  expect(words(page)).toContain('Moving: Home Assistant releases the entities.');
  expect(page).toMatch(/data-move="mqtt"[^>]*aria-disabled="true"/);
  expect(words(page)).toContain('What stays at the broker');
  expect(page).toContain('<code>homeassistant/light/hall/config</code>');
  expect(words(draw({ pairing: { state: 'asking' } }))).toContain('A Home Assistant wants to be paired.');
});

test('a name is text, never markup', () => {
  const page = draw({ clients: [{ ...client, name: '<b>Home</b>' }] });
  expect(page).not.toContain('<b>');
  expect(page).toContain('&lt;b&gt;Home');
});

test('the page says how to install it, with the address, and where to pair without a screen', () => {
  const facts = { companion: { ...companionExample, clients: [] }, address: '192.0.2.7:8888' };
  const page = markupOf(<CompanionPage status={fixtureStatus} {...facts} />);
  expect(page).toContain('href="/api/v1/companion/integration.zip"');
  expect(words(page)).toMatch(/sconce companion install FOLDER.*192\.0\.2\.7:8888/);
  expect(words(page)).not.toContain('sconce companion pair');
  const security = { ...fixtureStatus.security, place: 'none', place_reason: 'headless' } as const;
  const without = markupOf(
    <CompanionPage status={{ ...fixtureStatus, security } satisfies StatusDocument} {...facts} address={null} />,
  );
  expect(words(without)).toContain('sconce companion pair');
  expect(words(without)).toContain('no address on your network yet');
});

test('the verdict is that of the capability, without a sentence while all is well', () => {
  const row = { ...fixtureStatus.capabilities[0], id: 'companion', detail: 'A sentence.' };
  const verdictIn = (state: 'working' | 'needs_you') =>
    // A row of another part, under the id of this one.
    companionVerdict({ capabilities: [{ ...row, state } as StatusDocument['capabilities'][number]] });
  expect(verdictIn('working')).toEqual({ state: 'working', detail: '' });
  expect(verdictIn('needs_you')).toEqual({ state: 'needs_you', detail: 'A sentence.' });
  expect(companionVerdict({ capabilities: [] })).toBeNull();
});
