import { describe, expect, it } from 'vitest';
import type { StatusDocument } from '#machines/status.ts';
import { isAboutLink, outcomeOf, type Save } from '#ui/parts/save-outcome.ts';
import { onThisPage } from '#ui/parts/on-this-page.ts';
import { fixtureStatus } from './fixture.ts';

type Mqtt = NonNullable<StatusDocument['mqtt']>;
type SignIn = NonNullable<StatusDocument['sign_in']>;
type Platform = NonNullable<StatusDocument['platform']>;

function statusWith(more: {
  readonly mqtt?: Partial<Mqtt>;
  readonly signIn?: Partial<SignIn>;
  readonly platform?: Partial<Platform>;
}): StatusDocument {
  const { mqtt, sign_in: signIn, platform } = fixtureStatus;
  if (mqtt === null || signIn === null || platform === null) throw new Error('the fixture has all links');
  return {
    ...fixtureStatus,
    mqtt: { ...mqtt, settings_revision: 5, detail: 'What the broker said under Configure.', ...more.mqtt },
    sign_in: { ...signIn, settings_revision: 5, detail: 'What Home Assistant said.', ...more.signIn },
    platform: { ...platform, detail: 'What is announced.', ...more.platform },
  };
}
const save = (...keys: readonly string[]): Save => ({ revision: 5, keys });

describe('what became of a save of the broker', () => {
  it.each([
    ['connecting', 'waiting', null],
    ['discovering', 'waiting', null],
    ['connected', 'done', null],
    ['auth_failed', 'failed', '/configure/mqtt#field-mqtt_password'],
    ['unreachable', 'failed', '/configure/mqtt#field-mqtt_broker'],
    ['config_error', 'failed', '/configure/mqtt#field-mqtt_broker'],
    ['unconfirmed', 'next', '/configure/mqtt#group-mqtt'],
    ['off', 'next', '/configure/mqtt#field-mqtt_broker'],
    ['not_configured', 'next', '/configure/mqtt#field-mqtt_broker'],
    ['ambiguous', 'next', '/configure/mqtt#field-mqtt_broker'],
  ] as const)('%s is %s', (phase, kind, href) => {
    expect(outcomeOf(statusWith({ mqtt: { phase } }), save('mqtt_password'))).toMatchObject({ kind, href });
  });

  it('leads to the user name where the broker asks for one and none was given', () => {
    const status = statusWith({ mqtt: { phase: 'auth_failed' } });
    const row = { ...status.capabilities[0], id: 'mqtt', reason: 'credentials-needed' };
    // The fixture has rows, so the first is there.
    const capabilities = [row as StatusDocument['capabilities'][number]];
    expect(outcomeOf({ ...status, capabilities }, save('mqtt_broker'))?.href).toBe('/configure/mqtt#field-mqtt_user');
  });

  it('says nothing of an earlier configuration', () => {
    const refused = { phase: 'auth_failed', settings_revision: 4 } as const;
    expect(outcomeOf(statusWith({ mqtt: refused }), save('mqtt_password'))).toMatchObject({ kind: 'waiting' });
    expect(outcomeOf({ ...fixtureStatus, mqtt: null }, save('mqtt_user'))).toMatchObject({ kind: 'waiting' });
  });

  it('says on the page of settings what is said elsewhere', () => {
    const outcome = outcomeOf(statusWith({ mqtt: { phase: 'auth_failed' } }), save('mqtt_broker'));
    expect(outcome?.words).toBe('What the broker said.');
    expect(onThisPage('For another Home Assistant than the one set under Configure, so not sent.')).toBe(
      'For another Home Assistant than the one set, so not sent.',
    );
  });
});

describe('what became of a save of Home Assistant', () => {
  it.each([
    [{ phase: 'needed' }, 'next', '/sign-in'],
    [{ phase: 'pending' }, 'next', '/sign-in'],
    [{ phase: 'refused', method: 'long-lived' }, 'failed', '/configure/home-assistant#field-ha_token'],
    [{ phase: 'refused', method: 'oauth' }, 'failed', '/sign-in'],
    [{ phase: 'signed-in', reachable: null }, 'waiting', null],
    [{ phase: 'signed-in', reachable: true }, 'done', null],
    [{ phase: 'signed-in', reachable: false }, 'failed', '/configure/home-assistant#field-ha_url'],
    [{ phase: 'signed-in', reachable: true, settings_revision: 4 }, 'waiting', null],
  ] as const)('%o is %s', (signIn, kind, href) => {
    expect(outcomeOf(statusWith({ signIn }), save('ha_url'))).toMatchObject({ kind, href });
  });

  it('is nothing more once there is no address', () => {
    expect(outcomeOf(statusWith({ signIn: { phase: 'no-address' } }), save('ha_url'))).toBeNull();
  });
});

describe('what became of a save of the panel id', () => {
  it.each([
    [{ phase: 'live' }, 'done', null],
    [{ phase: 'announcing' }, 'waiting', null],
    [{ phase: 'duplicate' }, 'failed', '/configure/identity#field-panel_id'],
  ] as const)('%o is %s', (platform, kind, href) => {
    const status = statusWith({ mqtt: { phase: 'connected' }, platform });
    expect(outcomeOf(status, save('panel_id'))).toMatchObject({ kind, href });
  });

  it('is what Home Assistant shows of it, where that can be known', () => {
    const of = (
      shows: 'shown' | null,
      evidence: readonly ['sign-in-answered'] | readonly [],
      state: 'working' | 'needs_you',
    ) => {
      const status = statusWith({ mqtt: { phase: 'connected' }, platform: { phase: 'live' } });
      const presence = { state: 'there' as const, evidence: [...evidence], shows, detail: 'So it is.' };
      const capabilities = status.capabilities.map((row, at) => (at === 0 ? { ...row, id: 'platform', state } : row));
      return outcomeOf({ ...status, home_presence: presence, capabilities }, save('panel_id'))?.kind;
    };
    expect([
      of('shown', ['sign-in-answered'], 'working'),
      of(null, ['sign-in-answered'], 'working'),
      of(null, [], 'working'),
      of(null, ['sign-in-answered'], 'needs_you'),
    ]).toEqual(['done', 'waiting', 'done', 'failed']);
  });

  it('waits for the broker, and is saved all the same where there is none', () => {
    expect(outcomeOf(statusWith({ mqtt: { phase: 'connecting' } }), save('panel_id'))?.kind).toBe('waiting');
    expect(outcomeOf(statusWith({ mqtt: { phase: 'unreachable' } }), save('panel_id'))).toBeNull();
  });
});

it('tells of several links the failure first, and of settings that are about none nothing', () => {
  const status = statusWith({ mqtt: { phase: 'connected' }, signIn: { phase: 'refused', method: 'oauth' } });
  expect(outcomeOf(status, save('mqtt_user', 'ha_token'))).toMatchObject({ kind: 'failed', href: '/sign-in' });
  expect(outcomeOf(status, save('friendly_name'))).toBeNull();
  expect([isAboutLink(save('friendly_name')), isAboutLink(save('log_level', 'ha_url'))]).toEqual([false, true]);
});
