import { describe, expect, it } from 'vitest';

import type { StatusDocument } from '#machines/status.ts';
import { OfflinePage } from '#ui/pages/offline-page.tsx';
import { offlineKey } from '#ui/parts/offline-key.ts';
import { Kiosk, type KioskPlace } from '#ui/parts/on-device.ts';

import { drawnRenderer, fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

const origin = 'http://192.0.2.7:8888';

function draw(glass: 'off' | 'trouble', summary: string, due: boolean): string {
  const { setup } = fixtureStatus;
  const renderer = drawnRenderer;
  if (renderer === null || setup === null) throw new Error('an example lacks the dashboard or the setup');
  const status: StatusDocument = {
    ...fixtureStatus,
    renderer: { ...renderer, restarts: [], glass, summary },
    setup: { ...setup, due },
  };
  return markupOf(<OfflinePage status={status} origin={origin} leads={false} />);
}

describe.each(['off', 'trouble'] as const)('the offline page without a dashboard: %s', (glass) => {
  const summary = 'There is no display for 2.5 screens. Start Sconce with --renderer headless.';

  it('says what is wrong, and leaves commands to the page that a phone opens', () => {
    const markup = draw(glass, summary, false);
    expect(markup).toContain('There is no display for 2.5 screens.');
    expect(markup).not.toContain('--renderer');
    expect(markup).toContain('qr.svg?page=status');
    expect(markup).toMatch(/>:8888<\/span><span[^>]*>\/<\/span>/);
  });

  it('leads to the setup while that is due', () => {
    const markup = draw(glass, summary, true);
    expect(markup).toContain('qr.svg?page=setup');
    expect(markup).toContain('/setup</span>');
  });
});

describe('the offline page while the dashboard is on its way or shown', () => {
  const drawAt = (place: KioskPlace, change: Partial<NonNullable<StatusDocument['renderer']>>): string => {
    const renderer = drawnRenderer;
    if (renderer === null) throw new Error('the example lacks the dashboard');
    const status: StatusDocument = { ...fixtureStatus, renderer: { ...renderer, restarts: [], ...change } };
    return markupOf(
      <Kiosk.Provider value={place}>
        <OfflinePage status={status} origin={origin} leads={false} />
      </Kiosk.Provider>,
    );
  };
  const shown = { phase: 'showing', glass: 'dashboard', rendered: true } as const;
  const loading = {
    phase: 'loading',
    glass: 'starting',
    rendered: false,
    summary: 'The dashboard is loading.',
  } as const;

  it('says elsewhere what is on the screen, and leads to the status', () => {
    expect(drawAt('elsewhere', shown)).toContain('The dashboard is on the screen');
    expect(drawAt('elsewhere', shown)).toContain('href="/"');
    expect(drawAt('elsewhere', { ...shown, phase: 'settings' })).toContain('own pages are on the screen');
    expect(drawAt('elsewhere', { ...shown, rendered: false })).toContain('One moment');
  });

  it('keeps what the status says ready elsewhere for when it takes long', () => {
    expect(drawAt('elsewhere', loading)).toMatch(/<div data-late[^>]*hidden[^>]*><p[^>]*>The dashboard is loading\./);
  });

  it.each(['over-offline', 'over-dashboard'] as const)('asks for a moment on the panel itself, %s', (place) => {
    for (const change of [shown, loading]) {
      const markup = drawAt(place, change);
      expect(markup).toContain('One moment');
      expect(markup).not.toMatch(/data-late|data-elsewhere|href="\/"/);
    }
  });
});

describe('the page on the kiosk while Home Assistant is away', () => {
  type Presence = NonNullable<StatusDocument['home_presence']>;
  it('is drawn anew with each change of what its title is made of, and with no other words of the verdict', () => {
    const keyOf = (state: Presence['state'], evidence: Presence['evidence'], detail = ''): string =>
      offlineKey({ ...fixtureStatus, home_presence: { state, evidence, shows: null, detail } });
    const stopping = keyOf('restarting', ['says-stopping']);
    expect(keyOf('restarting', ['says-starting'])).not.toBe(stopping);
    expect(keyOf('gone', ['says-stopping'])).not.toBe(stopping);
    expect(keyOf('restarting', ['says-stopping', 'page-away'], 'Said otherwise.')).toBe(stopping);
  });

  it.each<[Presence['state'], Presence['evidence'], string]>([
    ['restarting', ['says-stopping', 'page-away'], 'Home Assistant is restarting'],
    ['restarting', ['socket-live', 'says-starting'], 'Home Assistant is starting'],
    // It said so, and that was too long ago to be an excuse.
    ['gone', ['says-stopping', 'page-away'], 'Home Assistant isn’t responding'],
    ['unknown', [], 'Home Assistant isn’t responding'],
  ])('has the word of the one verdict: %s, %o', (state, evidence, title) => {
    const renderer = drawnRenderer;
    if (renderer === null) throw new Error('the example lacks the dashboard');
    const status: StatusDocument = {
      ...fixtureStatus,
      renderer: { ...renderer, restarts: [], glass: 'away', away: { since: 1, reason: 'refused' } },
      home_presence: { state, evidence, shows: null, detail: 'So it is.' },
    };
    expect(markupOf(<OfflinePage status={status} origin={origin} leads={false} />)).toContain(`>${title}<`);
  });
});

describe('the page on the kiosk that asks for a person', () => {
  type Input = NonNullable<StatusDocument['input']>;
  const drawAt = (
    place: KioskPlace,
    glass: 'address' | 'sign-in' | 'refused',
    input: Partial<Input> | null,
  ): string => {
    const renderer = drawnRenderer;
    if (renderer === null || fixtureStatus.input === null) throw new Error('the example lacks a part');
    const status: StatusDocument = {
      ...fixtureStatus,
      renderer: { ...renderer, restarts: [], glass },
      input: input === null ? null : { ...fixtureStatus.input, ...input },
    };
    return markupOf(
      <Kiosk.Provider value={place}>
        <OfflinePage status={status} origin={origin} leads={false} />
      </Kiosk.Provider>,
    );
  };
  const none = { keyboards: { connected: 0, on_screen: false } };
  const here = /href="\/api\/v1\/ha\/oauth\/panel-start"/;
  const words = 'plug in a keyboard';

  it.each([
    ['no keyboard', none],
    ['no part that knows', null],
  ])('shows the code alone with %s', (_, input) => {
    for (const glass of ['sign-in', 'refused', 'address'] as const) {
      const markup = drawAt('over-offline', glass, input);
      expect(markup).toContain('qr.svg');
      expect(markup).toContain(words);
      expect(markup).not.toMatch(here);
      expect(markup).not.toMatch(/href="\/(?:setup|configure)/);
    }
  });

  it.each([
    ['a connected one', { keyboards: { connected: 1, on_screen: false } }],
    ['one on the screen', { keyboards: { connected: 0, on_screen: true } }],
  ])('offers to type with %s', (_, input) => {
    for (const glass of ['sign-in', 'refused'] as const) expect(drawAt('over-offline', glass, input)).toMatch(here);
    expect(drawAt('over-offline', 'address', input)).toMatch(/href="\/(?:setup|configure)/);
    expect(drawAt('over-offline', 'sign-in', input)).not.toContain(words);
  });

  it('leads a phone to its own sign-in, which has a keyboard', () => {
    expect(drawAt('elsewhere', 'sign-in', none)).toContain('href="/sign-in"');
    expect(drawAt('elsewhere', 'sign-in', none)).not.toContain(words);
  });

  it('is drawn anew when a keyboard comes', () => {
    const { input } = fixtureStatus;
    if (input === null) throw new Error('the example lacks the input part');
    const keyOf = (connected: number) =>
      offlineKey({ ...fixtureStatus, input: { ...input, keyboards: { connected, on_screen: false } } });
    expect(keyOf(1)).not.toBe(keyOf(0));
    expect(keyOf(2)).toBe(keyOf(1));
  });

  it('shows the time on the panel’s own screen alone', () => {
    expect(drawAt('over-offline', 'sign-in', none)).toContain('data-clock');
    expect(drawAt('elsewhere', 'sign-in', none)).not.toContain('data-clock');
  });
});
