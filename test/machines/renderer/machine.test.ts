import { describe, expect, it } from 'vitest';

import { FREEZE_DELAY_MS, HOME_RETRY_MS, PROBE_INTERVAL_MS, START_BOUND_MS } from '#machines/renderer/delays.ts';
import { rendererView } from '#machines/renderer/view.ts';
import { desired, signedIn, start } from './start.ts';

describe('the renderer', () => {
  it('launches, loads the home dashboard and says that it is drawn', () => {
    const { launches, facts, ready, settle, probe, last } = start();
    expect(launches).toMatchObject([
      { generation: 1, display: 'auto', origin: 'http://ha.test:8123', program: 'builtin' },
    ]);
    expect(facts()).toMatchObject({ phase: 'starting', rendered: false });
    ready();
    expect(last('page.load')).toMatchObject({ path: '/lovelace/hall' });
    settle('shown');
    expect(facts()).toMatchObject({ phase: 'showing', rendered: false, lastNavigation: { outcome: 'shown' } });
    probe();
    expect(facts()).toMatchObject({
      rendered: true,
      path: '/lovelace/hall',
      health: 'healthy',
      verdict: { state: 'working', reason: 'shown' },
      homeAssistantVersion: '2026.11.0',
    });
  });

  it('starts nothing where nothing is wanted, and stops what runs', () => {
    const none = start({ mode: 'none', simulated: true });
    expect(none.launches).toEqual([]);
    expect(none.facts()).toMatchObject({
      phase: 'off',
      mode: 'none',
      verdict: { state: 'off', reason: 'simulated-shows-nothing' },
    });
    none.send({ type: 'page.desired', desired });
    expect(none.launches).toHaveLength(1);
    none.send({ type: 'page.desired', desired: { ...desired, mode: 'none' } });
    expect(none.actor.getSnapshot().value).toBe('off');
    expect(none.facts()).toMatchObject({ started: null, verdict: { reason: 'switched-off' } });
  });

  it('shows its offline page without an address and without a sign-in, and the dashboard once both are there', () => {
    const { facts, ready, send, settle, last, launches, pass } = start({ origin: null });
    ready();
    expect(last('page.own')).toMatchObject({ path: '/glass?on=glass' });
    settle('shown', { path: '/glass' });
    expect(facts()).toMatchObject({ phase: 'waiting', verdict: { state: 'off', reason: 'no-address' } });
    send({ type: 'credential.changed', credential: { phase: 'needed', method: null, revision: 1 } });
    send({ type: 'page.desired', desired });
    pass(300);
    expect(launches).toHaveLength(2);
    ready();
    expect(facts().verdict.reason).toBe('not-signed-in');
    send({ type: 'credential.changed', credential: { ...signedIn, revision: 2 } });
    expect(last('page.load')).toMatchObject({ path: '/lovelace/hall' });
  });

  it('leaves a login on the screen alone, and comes back from a stranger or when nobody goes on', () => {
    const { commands, ready, send, settle, probe, facts } = start();
    send({ type: 'credential.changed', credential: { phase: 'needed', method: null, revision: 1 } });
    ready();
    settle('shown', { path: '/glass' });
    const opened = () => commands.filter((command) => command.type === 'page.own').length;
    for (let count = 0; count < 12; count += 1)
      probe({ place: 'login', path: '/auth/authorize', showing: null, connected: null });
    expect(opened()).toBe(1);
    for (let count = 0; count < 3; count += 1) probe({ place: 'other', path: '/x' });
    expect(opened()).toBe(2);
    settle('shown', { path: '/glass' });
    probe({ place: 'own', path: '/configure' });
    for (let count = 0; count < 62; count += 1) probe({ place: 'own', path: '/configure' });
    expect(opened()).toBe(3);
    expect(facts().phase).toBe('waiting');
  });

  it('navigates in process and refuses what leads elsewhere', () => {
    const { send, show, last, settle, facts, commands } = start();
    show();
    send({ type: 'renderer.navigate', path: 'http://evil.example/', origin: 'home-assistant' });
    expect(facts().lastNavigation).toMatchObject({ outcome: 'refused', origin: 'home-assistant' });
    expect(last('page.go')).toBeUndefined();
    send({ type: 'renderer.navigate', path: 'http://ha.test:8123/lovelace/1', origin: 'home-assistant' });
    expect(last('page.go')).toMatchObject({ path: '/lovelace/1', replace: false });
    settle('shown');
    expect(facts()).toMatchObject({
      path: '/lovelace/1',
      lastNavigation: { outcome: 'shown', origin: 'home-assistant' },
    });
    send({ type: 'renderer.navigate', path: '/unknown', origin: 'http' });
    settle('elsewhere', { path: '/home/overview' });
    expect(facts()).toMatchObject({ path: '/home/overview', lastNavigation: { outcome: 'elsewhere' } });
    send({ type: 'renderer.navigate', path: '/lovelace/2', origin: 'http' });
    settle('not-ready');
    expect(last('page.load')).toMatchObject({ path: '/lovelace/2' });
    settle('shown');
    send({ type: 'renderer.home', origin: 'http' });
    expect(last('page.go')).toMatchObject({ path: '/lovelace/hall' });
    expect(commands.filter((command) => command.type === 'page.load')).toHaveLength(2);
  });

  it('keeps a navigation for when the dashboard can be shown', () => {
    const { send, ready, last } = start();
    send({ type: 'renderer.navigate', path: '/lovelace/door', origin: 'http' });
    ready();
    expect(last('page.load')).toMatchObject({ path: '/lovelace/door' });
  });

  it('goes to the start page when home is missing, says so, and tries once more', () => {
    const { ready, settle, last, facts, probe, pass } = start();
    ready();
    settle('http-error', { status: 404 });
    expect(last('page.load')).toMatchObject({ path: '/' });
    settle('shown', { path: '/' });
    probe({ path: '/home/overview' });
    expect(facts()).toMatchObject({
      phase: 'showing',
      homeMissing: true,
      startPath: '/home/overview',
      verdict: { reason: 'home-missing' },
    });
    pass(HOME_RETRY_MS);
    expect(last('page.go')).toMatchObject({ path: '/lovelace/hall' });
    settle('shown', { path: '/lovelace/hall' });
    expect(facts().homeMissing).toBe(false);
  });

  it('says that Home Assistant no longer has the home dashboard, and opens it once it does again', () => {
    const { show, send, facts, commands, pass, probe, last } = start();
    show();
    send({ type: 'home.listed', isListed: true });
    expect(facts().verdict.state).toBe('working');
    const before = commands.length;
    send({ type: 'home.listed', isListed: false });
    probe({ path: '/home/overview' });
    expect(facts().verdict).toMatchObject({ state: 'needs_you', reason: 'home-missing' });
    expect(rendererView(facts(), { now: 2, startedAt: 1 }).home_missing).toBe(true);
    pass(HOME_RETRY_MS);
    expect(commands.slice(before).filter(({ type }) => type === 'page.go')).toEqual([]);
    send({ type: 'home.listed', isListed: true });
    expect(last('page.go')).toMatchObject({ path: '/lovelace/hall' });
    expect(facts().verdict.state).toBe('working');
  });

  it('keeps what it knows of a section for another page of it, since that is reported once', () => {
    const { show, send, facts } = start();
    show();
    send({ type: 'home.listed', isListed: false });
    send({ type: 'page.desired', desired: { ...desired, home: '/lovelace/door' } });
    expect(facts().isHomeListed).toBe(false);
    send({ type: 'page.desired', desired: { ...desired, home: '/kitchen/door' } });
    expect(facts().isHomeListed).toBeNull();
  });

  it('takes for its start page only where the load itself led', () => {
    const { send, ready, settle, last, facts, probe, later } = start({ home: '' });
    ready();
    settle('shown', { path: '/' });
    send({ type: 'renderer.navigate', path: '/profile/general', origin: 'http' });
    settle('shown', { path: '/profile/general' });
    probe({ path: '/profile/general' });
    expect(facts().startPath).toBeNull();
    // Not known yet: it is loaded, and learnt.
    send({ type: 'renderer.home', origin: 'http' });
    expect(last('page.load')).toMatchObject({ path: '/', generation: facts().generation });
    settle('shown', { path: '/' });
    send({ type: 'page.touched', at: later(0) });
    probe({ path: '/energy' });
    expect(facts().startPath).toBeNull();
    send({ type: 'renderer.home', origin: 'http' });
    settle('shown', { path: '/' });
    probe({ path: '/home/overview' });
    send({ type: 'renderer.home', origin: 'http' });
    expect(last('page.go')).toMatchObject({ path: '/home/overview', generation: facts().generation });
  });

  it('notices that the frontend itself led away from home', () => {
    const { ready, settle, facts, probe } = start();
    ready();
    settle('shown');
    probe({ path: '/home/overview' });
    expect(facts()).toMatchObject({ homeMissing: true, verdict: { reason: 'home-missing' } });
  });

  it('says so of any page that was loaded, once it is drawn', () => {
    const { send, ready, settle, facts, probe } = start();
    send({ type: 'renderer.navigate', path: '/nosuch', origin: 'http' });
    ready();
    settle('shown', { path: '/nosuch' });
    probe({ path: '/nosuch', showing: false });
    expect(facts().lastNavigation).toMatchObject({ outcome: 'shown', message: null });
    probe({ path: '/home/overview' });
    expect(facts()).toMatchObject({
      homeMissing: false,
      lastNavigation: { outcome: 'elsewhere', message: expect.stringContaining('another page') },
    });
  });

  it('says so of one that Home Assistant refuses to load, also once home is shown in its place', () => {
    const { send, show, settle, facts } = start();
    show();
    send({ type: 'renderer.navigate', path: '/nosuch', origin: 'http' });
    settle('not-ready');
    settle('http-error', { status: 404 });
    settle('shown');
    expect(facts()).toMatchObject({ path: '/lovelace/hall', lastNavigation: { outcome: 'elsewhere', origin: 'http' } });
    send({ type: 'renderer.navigate', path: '/lovelace/door', origin: 'http' });
    settle('shown');
    expect(facts().lastNavigation).toMatchObject({ outcome: 'shown', message: null });
  });

  it('does not take a person who goes elsewhere for Home Assistant', () => {
    const { send, ready, settle, facts, probe, later } = start();
    send({ type: 'renderer.navigate', path: '/lovelace/door', origin: 'http' });
    ready();
    settle('shown', { path: '/lovelace/door' });
    send({ type: 'page.touched', at: later(0) });
    probe({ path: '/energy' });
    expect(facts().lastNavigation).toMatchObject({ outcome: 'shown', message: null });
  });

  it('shows since when and why Home Assistant is away, and is back by itself', () => {
    const { show, send, seen, facts, last, watched, settle, commands, later } = start();
    show();
    const since = later(0);
    send({ type: 'page.connection', state: 'disconnected', at: since });
    expect(watched.at(-1)).toBe(desired.origin);
    seen(false);
    expect(facts().phase).toBe('showing');
    seen(false);
    seen(false);
    expect(facts()).toMatchObject({
      phase: 'waiting',
      unreachable: { since, reason: 'refused' },
      verdict: { reason: 'platform-away' },
    });
    expect(last('page.own')).toMatchObject({ path: '/glass?on=glass' });
    settle('shown', { path: '/glass' });
    const loads = commands.filter((command) => command.type === 'page.load').length;
    seen(true);
    expect(commands.filter((command) => command.type === 'page.load')).toHaveLength(loads + 1);
    expect(last('page.load')).toMatchObject({ path: '/lovelace/hall' });
    expect(facts().unreachable).toBeNull();
    expect(watched.at(-1)).toBeNull();
    expect(facts().restarts).toEqual([]);
  });

  it('does nothing about a short drop, and loads a page anew that does not come back to a Home Assistant that answers', () => {
    const { show, send, seen, facts, later } = start();
    show();
    send({ type: 'page.connection', state: 'disconnected', at: later(0) });
    seen(false);
    send({ type: 'page.connection', state: 'connected', at: later(500) });
    for (let count = 0; count < 9; count += 1) seen(false);
    expect(facts()).toMatchObject({ phase: 'showing', unreachable: null });
    send({ type: 'page.connection', state: 'disconnected', at: later(0) });
    for (let count = 0; count < 8; count += 1) seen(true);
    expect(facts().restarts).toMatchObject([{ reason: 'stale' }]);
  });

  it('slows loads down that fail although Home Assistant answers, and never records them as trouble', () => {
    const { ready, settle, seen, facts, commands } = start();
    ready();
    const loads = () => commands.filter((command) => command.type === 'page.load').length;
    settle('unreachable');
    expect(facts()).toMatchObject({
      unreachable: { reason: 'unreachable' },
      verdict: { state: 'needs_you', reason: 'platform-never-answered' },
    });
    seen(true, 10);
    expect(loads()).toBe(2);
    settle('timeout');
    seen(true, 1900);
    expect(loads()).toBe(2);
    seen(true, 200);
    expect(loads()).toBe(3);
    expect(facts().restarts).toEqual([]);
  });

  it('leaves Chromium’s error page at once', () => {
    const { show, probe, last, facts } = start();
    show();
    probe({ place: 'error', showing: null, connected: null });
    expect(last('page.own')).toMatchObject({ path: '/glass?on=glass' });
    expect(facts().unreachable).toMatchObject({ reason: 'unreachable' });
  });

  it('shows the dashboard again where its page went back to one of the panel itself', () => {
    const { show, probe, last, facts, commands } = start();
    show();
    probe({ place: 'own', path: '/glass', showing: null, connected: null, excused: true });
    expect(facts().phase).toBe('showing');
    probe({ place: 'own', path: '/glass', showing: null, connected: null });
    expect(facts()).toMatchObject({ phase: 'loading', restarts: [{ reason: 'blank' }] });
    expect(last('page.load')).toMatchObject({ path: '/lovelace/hall' });
    expect(commands.filter((command) => command.type === 'page.load')).toHaveLength(2);
  });

  it('climbs the ladder of a hung page: ends the script, loads, launches anew', () => {
    const { show, probe, facts, last, pass, launches, settle } = start();
    show();
    const hang = (): void => {
      for (let count = 0; count < 3; count += 1) probe({ answeredMs: null });
    };
    hang();
    pass(50);
    expect(last('page.unhang')).toBeDefined();
    expect(facts().phase).toBe('showing');
    hang();
    pass(50);
    expect(facts().phase).toBe('loading');
    settle('shown');
    hang();
    expect(facts()).toMatchObject({ phase: 'recovering', verdict: { reason: 'recovering' } });
    pass(5100);
    expect(launches).toHaveLength(2);
    expect(facts().restarts.map(({ reason }) => reason)).toEqual(['hung', 'hung', 'hung']);
  });

  it('loads a page anew that crashes while its script was about to be ended', () => {
    const { show, probe, send, facts, pass, last, commands, later } = start();
    show();
    for (let count = 0; count < 3; count += 1) probe({ answeredMs: null });
    expect(facts().phase).toBe('recovering');
    send({ type: 'page.crashed', at: later(10) });
    pass(50);
    expect(last('page.unhang')).toBeUndefined();
    expect(facts()).toMatchObject({ phase: 'loading', restarts: [{ reason: 'hung' }, { reason: 'crashed' }] });
    expect(commands.filter((command) => command.type === 'page.load')).toHaveLength(2);
  });

  it('is back although the clock is set back while Home Assistant is away', () => {
    const { ready, settle, send, facts, last, commands } = start();
    ready();
    settle('unreachable');
    send({ type: 'reachability.probed', origin: desired.origin ?? '', reachable: true, reason: null, at: 1_000_100 });
    settle('unreachable');
    const loads = commands.filter((command) => command.type === 'page.load').length;
    send({ type: 'reachability.probed', origin: desired.origin ?? '', reachable: true, reason: null, at: 1000 });
    expect(commands.filter((command) => command.type === 'page.load')).toHaveLength(loads + 1);
    expect(last('page.load')).toMatchObject({ path: '/lovelace/hall' });
    expect(facts().phase).toBe('loading');
  });

  it('loads a crashed page anew and bounds a page that keeps crashing', () => {
    const { show, send, settle, facts, pass, launches, ready, commands, later } = start();
    show();
    const said = new Set<string>();
    for (let crash = 0; crash < 12; crash += 1) {
      send({ type: 'page.crashed', at: later(1000) });
      said.add(facts().verdict.reason);
      for (let second = 0; second < 70 && facts().phase !== 'showing'; second += 1) {
        pass(1000);
        ready();
        if (facts().phase === 'loading') settle('shown');
      }
    }
    expect([...said]).toContain('keeps-failing');
    expect(launches.length).toBeGreaterThan(2);
    expect(commands.filter((command) => command.type === 'page.load').length).toBeLessThan(16);
  });

  it('launches a killed browser again, slower each time', () => {
    const { show, ended, launches, pass, facts, ready, settle } = start();
    show();
    ended('killed');
    expect(facts()).toMatchObject({ phase: 'recovering', rendered: false });
    pass(300);
    expect(launches).toHaveLength(2);
    ready();
    settle('shown');
    ended('killed');
    pass(300);
    expect(launches).toHaveLength(2);
    pass(2000);
    expect(launches).toHaveLength(3);
    expect(facts().restarts.map(({ reason }) => reason)).toEqual(['killed', 'killed']);
  });

  it('says what is missing, probes again, and does not flicker meanwhile', () => {
    const { ended, facts, pass, launches, ready } = start();
    ended('not-installed');
    expect(facts()).toMatchObject({
      phase: 'not-installed',
      verdict: { state: 'needs_you', fix: { command: 'sudo apt-get install -y chromium' } },
    });
    pass(PROBE_INTERVAL_MS);
    expect(launches).toHaveLength(2);
    expect(facts().phase).toBe('not-installed');
    ended('other-users-display');
    expect(facts()).toMatchObject({ phase: 'no-display', verdict: { state: 'needs_you', reason: 'no-display' } });
    expect(facts().verdict.detail).toMatch(/belongs to another user.*was skipped.*name the display with DISPLAY/);
    pass(PROBE_INTERVAL_MS);
    ended('no-display');
    expect(facts()).toMatchObject({ phase: 'no-display', verdict: { state: 'needs_you', reason: 'no-display' } });
    expect(facts().verdict.detail).toMatch(/^No display was found/);
    pass(PROBE_INTERVAL_MS);
    ready();
    expect(facts().phase).toBe('loading');
  });

  it('gives up on a browser that is never ready', () => {
    const { pass, launches, facts } = start();
    pass(START_BOUND_MS + 500);
    expect(launches).toHaveLength(2);
    expect(facts().restarts).toMatchObject([{ reason: 'start-timeout' }]);
  });

  it('freezes in the dark, thaws with the light, and frees memory while nobody sees it', () => {
    const { show, send, pass, last, facts, commands, settle, later } = start();
    show();
    send({ type: 'screen.changed', dark: true });
    pass(FREEZE_DELAY_MS);
    expect(last('page.freeze')).toMatchObject({ frozen: true });
    send({ type: 'page.connection', state: 'disconnected', at: later(10) });
    expect(facts()).toMatchObject({ disconnectedSince: null, frozen: true });
    send({ type: 'browser.memory', pssBytes: 100, at: later(600_000) });
    send({ type: 'browser.memory', pssBytes: 150, at: later(60_000) });
    expect(facts().phase).toBe('showing');
    send({ type: 'browser.memory', pssBytes: 170, at: later(60_000) });
    expect(facts()).toMatchObject({ phase: 'loading', frozen: false, restarts: [{ reason: 'memory-dark' }] });
    settle('shown');
    pass(FREEZE_DELAY_MS);
    expect(facts().frozen).toBe(true);
    send({ type: 'screen.changed', dark: false });
    expect(last('page.freeze')).toMatchObject({ frozen: false });
    expect(facts().frozen).toBe(false);
    expect(commands.filter((command) => command.type === 'page.load')).toHaveLength(2);
  });

  it('signs the page in anew with another credential, and asks for a person when it is refused', () => {
    const { show, send, last, facts } = start();
    show();
    send({ type: 'credential.changed', credential: { ...signedIn, revision: 2 } });
    expect(last('page.sign-in')).toBeDefined();
    expect(facts().restarts).toMatchObject([{ reason: 'credential' }]);
    send({ type: 'credential.changed', credential: { phase: 'refused', method: 'oauth', revision: 2 } });
    expect(facts().phase).toBe('waiting');
    expect(last('page.own')).toMatchObject({ path: '/glass?on=glass' });
  });

  it('leaves the screen to whoever signs in there after the credential was refused', () => {
    const { show, send, settle, probe, facts, commands } = start();
    show();
    send({ type: 'credential.changed', credential: { phase: 'refused', method: 'oauth', revision: 2 } });
    settle('shown', { path: '/glass' });
    const before = commands.length;
    send({ type: 'credential.changed', credential: { phase: 'pending', method: 'oauth', revision: 2 } });
    for (let count = 0; count < 3; count += 1)
      probe({ place: 'login', path: '/auth/authorize', showing: null, connected: null });
    expect(commands).toHaveLength(before);
    expect(facts().phase).toBe('waiting');
    send({ type: 'credential.changed', credential: { phase: 'signed-in', method: 'oauth', revision: 3 } });
    expect(facts().phase).toBe('loading');
  });

  it('leaves the page and forgets the storage of an address that is no longer set', () => {
    const { show, send, pass, launches, last, ready, facts } = start();
    show();
    send({ type: 'page.desired', desired: { ...desired, origin: 'http://new.test:8123' } });
    expect(facts()).toMatchObject({ started: null, restarts: [{ reason: 'address-changed' }] });
    pass(300);
    expect(launches.at(-1)?.origin).toBe('http://new.test:8123');
    ready();
    expect(last('page.forget')).toEqual({ type: 'page.forget', origin: 'http://ha.test:8123' });
    expect(facts().forget).toEqual([]);
  });

  it('opens its own settings on the screen and comes back from them', () => {
    const { show, send, settle, probe, last, facts, later } = start();
    show();
    send({ type: 'page.settings-asked', at: later(10) });
    expect(last('page.own')).toMatchObject({ path: '/?on=glass' });
    settle('shown', { path: '/' });
    expect(facts()).toMatchObject({ phase: 'settings', verdict: { state: 'working' } });
    send({ type: 'renderer.home', origin: 'http' });
    expect(last('page.load')).toMatchObject({ path: '/lovelace/hall' });
    settle('shown');
    send({ type: 'page.settings-asked', at: later(10) });
    settle('shown', { path: '/' });
    for (let count = 0; count < 62; count += 1) probe({ place: 'own', path: '/configure', showing: null });
    expect(facts().phase).toBe('loading');
  });

  it('goes back to the dashboard when its offline page was opened from the own pages, whatever that page could ask for', () => {
    const { show, send, settle, probe, facts, later } = start();
    show();
    send({ type: 'page.settings-asked', at: later(10) });
    settle('shown', { path: '/' });
    probe({ place: 'own', path: '/glass', showing: null });
    probe({ place: 'own', path: '/glass', showing: null });
    expect(facts().phase).toBe('loading');
  });

  it('returns from its own pages to the code for a phone after two minutes without a touch', () => {
    const { ready, send, settle, probe, commands, later } = start();
    const opened = () => commands.filter(({ type }) => type === 'page.own').length;
    const ownPage = { place: 'own', path: '/configure', showing: null } as const;
    send({ type: 'credential.changed', credential: { phase: 'needed', method: null, revision: 2 } });
    ready();
    settle('shown', { path: '/glass' });
    send({ type: 'page.touched', at: later(10) });
    for (let count = 0; count < 23; count += 1) probe(ownPage);
    expect(opened()).toBe(1);
    for (let count = 0; count < 3; count += 1) probe(ownPage);
    expect(opened()).toBe(2);
  });

  const onLogin = { place: 'login', path: '/auth/authorize', showing: null, connected: null } as const;

  it('returns from Home Assistant’s login to its offline page when nobody touches it for a minute', () => {
    const { ready, send, settle, probe, facts, commands, last, later, loginsLeft } = start();
    const opened = () => commands.filter(({ type }) => type === 'page.own').length;
    send({ type: 'credential.changed', credential: { phase: 'needed', method: null, revision: 2 } });
    ready();
    settle('shown', { path: '/glass' });
    probe({ place: 'own', path: '/glass', showing: null });
    for (const _ of [1, 2, 3]) {
      send({ type: 'page.touched', at: later(10) });
      for (let count = 0; count < 11; count += 1) probe(onLogin);
    }
    expect(opened()).toBe(1);
    const left = loginsLeft();
    for (let count = 0; count < 3; count += 1) probe(onLogin);
    expect(last('page.own')).toMatchObject({ path: '/glass?on=glass' });
    expect(opened()).toBe(2);
    expect(loginsLeft()).toBe(left + 1);
    expect(facts().phase).toBe('waiting');
  });

  it('goes back from Home Assistant’s login at once when asked: to its offline page, or to the own page before it', () => {
    const { ready, show, send, settle, probe, last, later, loginsLeft } = start();
    send({ type: 'credential.changed', credential: { phase: 'needed', method: null, revision: 2 } });
    ready();
    settle('shown', { path: '/glass' });
    probe(onLogin);
    const before = last('page.own');
    const left = loginsLeft();
    send({ type: 'page.back-asked', at: later(10) });
    expect(last('page.own')).not.toBe(before);
    expect(last('page.own')).toMatchObject({ path: '/glass?on=glass' });
    expect(loginsLeft()).toBe(left + 1);
    settle('shown', { path: '/glass' });
    send({ type: 'credential.changed', credential: { ...signedIn, revision: 3 } });
    show();
    send({ type: 'page.settings-asked', at: later(10) });
    settle('shown', { path: '/' });
    probe(onLogin);
    send({ type: 'page.back-asked', at: later(10) });
    expect(last('page.own')).toMatchObject({ path: '/?on=glass' });
    expect(loginsLeft()).toBeGreaterThan(left + 2);
  });

  it('returns home when nobody touches it for as long as the owner said', () => {
    const { show, send, settle, probe, last, later } = start({ idleReturnMin: 1 });
    show();
    send({ type: 'renderer.navigate', path: '/lovelace/1', origin: 'http' });
    settle('shown');
    for (let count = 0; count < 11; count += 1) probe({ path: '/lovelace/1' });
    send({ type: 'page.touched', at: later(0) });
    probe({ path: '/lovelace/1' });
    expect(last('page.go')).toMatchObject({ path: '/lovelace/1' });
    for (let count = 0; count < 12; count += 1) probe({ path: '/lovelace/1' });
    expect(last('page.go')).toMatchObject({ path: '/lovelace/hall' });
  });

  it('follows the owner to another home when home is what is shown', () => {
    const { show, send, last } = start();
    show();
    send({ type: 'page.desired', desired: { ...desired, home: '/lovelace/kitchen' } });
    expect(last('page.go')).toMatchObject({ path: '/lovelace/kitchen' });
  });

  it('answers for a picture, with a reason where there is none', () => {
    const { send, show, last, replies } = start();
    send({ type: 'renderer.screenshot', requestId: 'a' });
    expect(replies.at(-1)).toEqual({ type: 'reply', requestId: 'a', outcome: { ok: false, reason: 'not-shown' } });
    show();
    send({ type: 'renderer.screenshot', requestId: 'b' });
    expect(last('page.shoot')).toEqual({ type: 'page.shoot', requestId: 'b' });
    const png = new Uint8Array([1]);
    send({ type: 'page.shot', requestId: 'b', png, reason: null });
    send({ type: 'page.shot', requestId: 'c', png: null, reason: 'busy' });
    expect(replies.slice(1)).toEqual([
      { type: 'reply', requestId: 'b', outcome: { ok: true, png } },
      { type: 'reply', requestId: 'c', outcome: { ok: false, reason: 'no-answer' } },
    ]);
  });

  it('drops what belongs to an earlier launch or command', () => {
    const { ready, settle, facts, send, launches } = start();
    ready();
    send({ type: 'page.settled', generation: 0, outcome: 'unreachable', status: null, path: null, tookMs: 1, at: 5 });
    send({ type: 'browser.ended', generation: 0, reason: 'killed', at: 5 });
    expect(facts().phase).toBe('loading');
    settle('shown');
    expect(launches).toHaveLength(1);
  });
});
