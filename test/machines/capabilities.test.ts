import { describe, expect, it } from 'vitest';

import type { CameraScan } from '#machines/camera/events.ts';
import { judgeCamera } from '#machines/camera/verdict.ts';
import { capabilities } from '#machines/capabilities.ts';
import { certificateFaults } from '#machines/kit/certificate.ts';
import type { VerdictState } from '#machines/kit/verdict.ts';
import type { MqttContext, MqttPhase } from '#machines/mqtt/events.ts';
import { judgeBroker } from '#machines/mqtt/verdict.ts';
import { judgePathProbe } from '#machines/path-probe/verdict.ts';
import { judgePublisher } from '#machines/publisher/verdict.ts';
import type { MachineReading } from '#machines/readings/events.ts';
import { judgeTemperature, judgeWifi } from '#machines/readings/verdict.ts';
import { afterFailure, afterInspection } from '#machines/storage-health/judge-storage.ts';
import { nothingKnown } from '#machines/storage-health/nothing-known.ts';
import { storageView } from '#machines/storage-health/view.ts';
import { judgeStorage } from '#machines/storage-health/verdict.ts';

type PlatformFacts = Parameters<typeof judgePublisher>[0];

describe('the broker', () => {
  it.each<[MqttPhase, MqttContext['source'], string | null, VerdictState, string]>([
    ['off', 'none', null, 'needs_you', 'no-broker'],
    ['not_configured', 'none', null, 'needs_you', 'search-switched-off'],
    ['discovering', 'none', null, 'needs_you', 'looking-for-broker'],
    ['ambiguous', 'ambiguous', null, 'needs_you', 'more-than-one-platform'],
    ['connecting', 'configured', null, 'checking', 'connecting'],
    ['connected', 'configured', null, 'working', 'connected'],
    ['auth_failed', 'configured', 'credentials', 'needs_you', 'wrong-credentials'],
    ['unreachable', 'configured', 'ECONNREFUSED', 'needs_you', 'broker-unreachable'],
    ['unreachable', 'found', 'ECONNREFUSED', 'needs_you', 'broker-unreachable'],
    ['unreachable', 'configured', 'ENOTFOUND', 'needs_you', 'broker-name-unknown'],
    ['unreachable', 'configured', 'packet-too-large', 'needs_you', 'broker-packet-too-large'],
    ['unreachable', 'configured', 'certificate-untrusted', 'needs_you', 'certificate-untrusted'],
    ['unreachable', 'configured', 'certificate-refused', 'needs_you', 'certificate-refused'],
    ['config_error', 'configured', null, 'needs_you', 'bad-address'],
  ])('%s (%s, %s) is %s', (phase, source, failure, state, reason) => {
    expect(judgeBroker({ phase, source, failure, drops: 0, release: 'send' })).toMatchObject({ state, reason });
  });

  it('says that the broker asks for a user where none was given', () => {
    const { reason, detail } = judgeBroker({
      phase: 'auth_failed',
      source: 'configured',
      failure: 'credentials',
      drops: 0,
      release: 'send',
      isAnonymous: true,
    });
    expect(reason).toBe('credentials-needed');
    expect(detail).toMatch(/^This broker asks for a user name and password\./);
  });

  it.each<[MqttPhase, MqttContext['release'], VerdictState, string]>([
    ['unconfirmed', 'wait', 'needs_you', 'broker-unconfirmed'],
    ['unconfirmed', 'ask', 'needs_you', 'broker-moved'],
    ['connected', 'ask', 'needs_you', 'broker-moved'],
    ['unreachable', 'ask', 'needs_you', 'broker-moved'],
    ['connecting', 'ask', 'checking', 'connecting'],
  ])('%s, found, with release %s, is %s', (phase, release, state, reason) => {
    expect(judgeBroker({ phase, source: 'found', failure: null, drops: 0, release })).toMatchObject({
      state,
      reason,
    });
  });

  it.each([
    ['ECONNREFUSED', /^Nothing listens on the broker's port/],
    ['EHOSTUNREACH', /^Nothing answers at the broker's address/],
    ['closed', /^The broker does not answer/],
  ])('says why the broker does not answer: %s', (failure, words) => {
    const { detail } = judgeBroker({
      phase: 'unreachable',
      source: 'configured',
      failure,
      drops: 0,
      release: 'send',
    });
    expect(detail).toMatch(words);
    expect(detail).toContain('Configure');
  });

  it('names the next step whenever it needs you', () => {
    const phases: readonly MqttPhase[] = [
      'off',
      'not_configured',
      'discovering',
      'ambiguous',
      'unconfirmed',
      'auth_failed',
      'unreachable',
      'config_error',
    ];
    for (const phase of phases) {
      const verdict = judgeBroker({ phase, source: 'configured', failure: null, drops: 0, release: 'send' });
      expect(verdict.detail).toMatch(/Configure/);
      expect(verdict.missing).toMatch(/\.$/);
    }
  });
});

describe('a broker that ends one connection after the other', () => {
  const judged = (phase: MqttPhase, failure: string, drops: number): string =>
    judgeBroker({ phase, source: 'configured', failure, drops, release: 'send' }).reason;
  it.each<[MqttPhase]>([['connecting'], ['connected'], ['unreachable']])('is named while it is %s', (phase) => {
    expect(judged(phase, 'disconnected-142', 1)).toBe('second-copy');
    expect(judged(phase, 'closed', 3)).toBe('broker-drops');
    expect(['second-copy', 'broker-drops']).not.toContain(judged(phase, 'disconnected-142', 0));
    expect(['second-copy', 'broker-drops']).not.toContain(judged(phase, 'closed', 2));
  });
});

describe('the publisher', () => {
  const publisher: PlatformFacts = {
    phase: 'live',
    announced: [{ key: 'screen', entityKind: 'light' }],
    refused: {},
    removedElsewhere: false,
    advice: null,
  };
  it.each<[string, Partial<PlatformFacts>, VerdictState, string]>([
    ['removed there', { removedElsewhere: true }, 'needs_you', 'removed-elsewhere'],
    ['waiting', { phase: 'waiting' }, 'off', 'waiting-for-broker'],
    ['claiming', { phase: 'claiming' }, 'checking', 'claiming'],
    ['announcing', { phase: 'announcing' }, 'checking', 'announcing'],
    ['duplicate', { phase: 'duplicate' }, 'needs_you', 'panel-id-taken'],
    ['live', {}, 'working', 'live'],
    ['live with a refused row', { refused: { volume: 'bad' } }, 'working', 'live-in-part'],
  ])('%s', (_, facts, state, reason) => {
    expect(judgePublisher({ ...publisher, ...facts })).toMatchObject({ state, reason });
  });
});

describe('the storage', () => {
  const look = { usableBytes: 8e9, totalBytes: 16e9, documentBytes: 1, sizes: null, check: 'ok' as const, damaged: [] };
  const seen = afterInspection(nothingKnown, look, 1);
  it.each([
    ['before the first look', nothingKnown, 'checking', 'not-looked-yet'],
    ['healthy', seen, 'working', 'healthy'],
    ['almost full', afterInspection(seen, { ...look, usableBytes: 1e8 }, 2), 'needs_you', 'space-critical'],
    ['a failed save', afterFailure(seen, 'ENOSPC', 2), 'needs_you', 'save-failed-storage-full'],
    [
      'unreadable folder',
      afterInspection(nothingKnown, { ...look, usableBytes: null }, 2),
      'needs_you',
      'capacity-unknown',
    ],
  ] as const)('%s', (_, facts, state, reason) => {
    expect(judgeStorage({ facts, health: storageView(facts) })).toMatchObject({ state, reason });
  });
});

describe('the camera', () => {
  const off = { user: null, isEnabled: false, session: null };
  it.each<[string, CameraScan | null, VerdictState, string]>([
    ['before the first scan', null, 'checking', 'not-looked-yet'],
    ['none', { found: 'none', detail: 'not_enumerated' }, 'not_here', 'no-camera'],
    ['suppressed', { found: 'none', detail: 'suppressed_by_profile' }, 'not_here', 'no-camera-by-profile'],
    ['not listable', { found: 'none', detail: 'undetermined' }, 'off', 'camera-undetermined'],
    ['one', { found: 'devices', count: 1, refused: 0, chosen: 'cam' }, 'off', 'camera-off'],
    [
      'one without permission',
      { found: 'devices', count: 1, refused: 1, chosen: 'cam' },
      'off',
      'camera-not-permitted',
    ],
  ])('%s', (_, scan, state, reason) => {
    expect(judgeCamera({ ...off, scan })).toMatchObject({ state, reason });
  });

  it('names the user that the agent runs as in the command that gives it rights', () => {
    const scan: CameraScan = { found: 'devices', count: 1, refused: 1, chosen: 'cam' };
    expect(judgeCamera({ ...off, scan, user: 'sconce' }).fix?.command).toBe('sudo usermod -aG video sconce');
    expect(judgeCamera({ ...off, scan }).fix?.command).toBe('sudo usermod -aG video "$USER"');
  });
});

describe('the path probe', () => {
  it('never raises a warning, and says the command that opens it', () => {
    expect(judgePathProbe({ supported: null }).state).toBe('checking');
    expect(judgePathProbe({ supported: true }).state).toBe('working');
    expect(judgePathProbe({ supported: false })).toMatchObject({
      state: 'off',
      fix: { command: 'sudo sysctl -w net.ipv4.ping_group_range="0 2147483647"' },
    });
  });
});

describe('the readings', () => {
  const reading: MachineReading = {
    cpuPercent: 1,
    memoryPercent: 1,
    socCelsius: 50,
    bootedAt: 1,
    address: null,
    wifi: 'joined',
    wifiName: 'Attic',
    wifiSignalDbm: -50,
    routeFamily: 'ipv4',
  };
  it('judge the temperature', () => {
    expect(judgeTemperature({ reading: null }).state).toBe('checking');
    expect(judgeTemperature({ reading }).state).toBe('working');
    expect(judgeTemperature({ reading: { ...reading, socCelsius: null } }).state).toBe('not_here');
  });
  it.each<[string, Partial<MachineReading>, VerdictState, string]>([
    ['both read', {}, 'working', 'wifi-read'],
    ['no name', { wifiName: null }, 'working', 'wifi-in-part'],
    ['nothing', { wifiName: null, wifiSignalDbm: null }, 'off', 'wifi-unreadable'],
    ['not joined', { wifi: 'idle', wifiName: null, wifiSignalDbm: null }, 'off', 'wifi-not-joined'],
    ['none', { wifi: 'none', wifiName: null, wifiSignalDbm: null }, 'not_here', 'no-wifi'],
  ])('judge the Wi-Fi: %s', (_, facts, state, reason) => {
    expect(judgeWifi({ reading: { ...reading, ...facts } })).toMatchObject({ state, reason });
  });
});

describe('the list of capabilities', () => {
  it('keeps its ids for ever, each once', () => {
    expect(capabilities.map((row) => `${row.id} ${row.actor}`)).toEqual([
      'adb adb',
      'screen screen',
      'screen_2 screen_2',
      'screen_3 screen_3',
      'screen_4 screen_4',
      'touch input',
      'buttons input',
      'keyboard input',
      'dashboard renderer',
      'led led',
      'button_backlight buttons',
      'button_led1 button_led1',
      'button_led2 button_led2',
      'button_led3 button_led3',
      'button_led4 button_led4',
      'relay1 relay1',
      'relay2 relay2',
      'relay3 relay3',
      'relay4 relay4',
      'volume volume',
      'announcements announcer',
      'reboot power',
      'proximity proximity',
      'illuminance illuminance',
      'temperature temperature',
      'humidity humidity',
      'zigbee zigbee',
      'camera camera',
      'microphone microphone',
      'mqtt mqtt',
      'companion companion',
      'platform home-presence',
      'discovery advertiser',
      'sign-in sign-in',
      'storage storage-health',
      'icmp path-probe',
      'soc-temperature readings',
      'wifi readings',
    ]);
  });

  it('passes on the verdict of a part that judges itself', () => {
    const verdict = { state: 'off', reason: 'r', detail: 'd.', missing: null, fix: null } as const;
    for (const id of ['screen', 'volume', 'reboot']) {
      expect(capabilities.find((row) => row.id === id)?.judge({ value: 'x', context: { verdict } })).toEqual(verdict);
    }
  });

  it('says of which a person should care first, and where each is put right', () => {
    const counted = capabilities.filter(({ urgency }) => urgency !== undefined);
    expect(counted.toSorted((a, b) => (a.urgency ?? 0) - (b.urgency ?? 0)).map(({ id }) => id)).toEqual([
      'screen',
      'storage',
      'sign-in',
      'mqtt',
      'companion',
      'platform',
      'volume',
      'announcements',
      'camera',
      'microphone',
      'reboot',
    ]);
    expect(new Set(counted.map(({ urgency }) => urgency)).size).toBe(counted.length);
  });

  it('leads to a page only where that helps', () => {
    const pageOf = (id: string, { reason }: { readonly reason: string }) =>
      capabilities.find((row) => row.id === id)?.pages?.[reason];
    const configured = { source: 'configured', failure: null, drops: 0, release: 'send' } as const;
    const named = { reason: 'certificate-other-name' };
    expect({
      broker: pageOf('mqtt', judgeBroker({ ...configured, phase: 'auth_failed' })),
      certificate: pageOf('mqtt', judgeBroker({ ...configured, phase: 'unreachable', failure: 'CERT_REVOKED' })),
      'panel id': pageOf('platform', { reason: 'panel-id-taken' }),
      removed: pageOf('platform', { reason: 'removed-elsewhere' }),
      'sign-in': pageOf('sign-in', { reason: 'sign-in-needed' }),
      name: pageOf('sign-in', named),
      address: pageOf('dashboard', { reason: 'platform-never-answered' }),
      display: pageOf('dashboard', { reason: 'no-display' }),
      browser: pageOf('dashboard', { reason: 'keeps-failing' }),
    }).toEqual({
      broker: { field: 'mqtt_password' },
      certificate: undefined,
      'panel id': { field: 'panel_id' },
      removed: undefined,
      'sign-in': '/sign-in',
      name: { field: 'ha_url' },
      address: { field: 'ha_url' },
      display: undefined,
      browser: undefined,
    });
  });

  it('leads to the settings of the broker for every verdict that names them, and for no other', () => {
    const phases = [
      'off',
      'not_configured',
      'discovering',
      'ambiguous',
      'unconfirmed',
      'auth_failed',
      'unreachable',
      'config_error',
    ];
    const failures = [null, 'ENOTFOUND', 'ECONNREFUSED', 'packet-too-large', 'protocol-error', ...certificateFaults];
    const { pages = {} } = capabilities.find(({ id }) => id === 'mqtt') ?? {};
    const judged = phases.flatMap((phase) =>
      failures.flatMap((failure) =>
        (['send', 'ask'] as const).flatMap((release) =>
          [true, false].map((isAnonymous) =>
            judgeBroker({ phase: phase as MqttPhase, source: 'configured', failure, drops: 0, release, isAnonymous }),
          ),
        ),
      ),
    );
    for (const { reason, detail } of judged)
      expect([reason, reason in pages]).toEqual([reason, /Configure/.test(detail)]);
    expect(Object.keys(pages).filter((reason) => !judged.some((one) => one.reason === reason))).toEqual([]);
  });
});
