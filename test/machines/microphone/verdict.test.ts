import { describe, expect, it } from 'vitest';

import type { MicrophoneContext, MicrophonePermission, MicrophoneScan } from '#machines/microphone/events.ts';
import { microphone } from '#machines/microphone/index.ts';
import { judgeMicrophone } from '#machines/microphone/verdict.ts';
import { permissionsOf } from '#machines/system/permissions.ts';
import { type EarFailure, earFailures } from '#machines/voice/events.ts';

const one: MicrophoneScan = { found: 'devices', count: 1, refused: 0 };
const facts = (more: Partial<MicrophoneContext> = {}): MicrophoneContext => ({
  scan: one,
  user: 'kiosk',
  isVoiceOn: true,
  permission: 'allowed',
  earFailure: null,
  ...more,
});

const refused: MicrophoneScan = { found: 'devices', count: 2, refused: 2 };
const undetermined: MicrophoneScan = { found: 'none', detail: 'undetermined' };
const nothing: MicrophoneScan = { found: 'none', detail: 'not_enumerated' };
const suppressed: MicrophoneScan = { found: 'none', detail: 'suppressed_by_profile' };
const audio = 'sudo usermod -aG audio kiosk';

describe('the verdict', () => {
  it.each<[string, Partial<MicrophoneContext>, string, string, string | null]>([
    ['before the first scan', { scan: null }, 'checking', 'not-looked-yet', null],
    ['nothing there', { scan: nothing }, 'not_here', 'no-microphone', null],
    ['none by the profile', { scan: suppressed }, 'not_here', 'no-microphone-by-profile', null],
    ['off', { isVoiceOn: false }, 'off', 'voice-off', null],
    ['off, and only a server knows', { isVoiceOn: false, scan: undetermined }, 'off', 'microphone-undetermined', null],
    ['off and refused', { isVoiceOn: false, scan: refused }, 'off', 'microphone-refused', audio],
    ['on and refused', { scan: refused }, 'needs_you', 'microphone-refused', audio],
    [
      'refused to an unknown user',
      { scan: refused, user: null },
      'needs_you',
      'microphone-refused',
      'sudo usermod -aG audio "$USER"',
    ],
    ['one of two refused', { scan: { ...refused, refused: 1 } }, 'working', 'microphone-ready', null],
    ['not allowed', { permission: 'needed' }, 'needs_you', 'microphone-not-allowed', 'sconce microphone allow'],
    ['asked', { permission: 'asking' }, 'needs_you', 'microphone-asked', null],
    ['denied', { permission: 'denied' }, 'needs_you', 'microphone-denied', null],
    ['without a place', { permission: 'no-place' }, 'needs_you', 'microphone-no-place', 'sconce microphone allow'],
    [
      'not allowed, and only a server knows',
      { permission: 'needed', scan: undetermined },
      'needs_you',
      'microphone-not-allowed',
      'sconce microphone allow',
    ],
    ['ready', {}, 'working', 'microphone-ready', null],
    ['ready, as the server knows', { scan: undetermined }, 'working', 'microphone-ready', null],
    [
      'without a recorder',
      { scan: { ...one, lacks: 'arecord' } },
      'needs_you',
      'no-recorder',
      'sudo apt-get install -y --no-install-recommends alsa-utils',
    ],
    [
      'without one for a server',
      { scan: { ...one, lacks: 'parec' } },
      'needs_you',
      'no-recorder',
      'sudo apt-get install -y --no-install-recommends pulseaudio-utils',
    ],
  ])('%s', (_, more, state, reason, command) => {
    const verdict = judgeMicrophone(facts(more));
    expect([verdict.state, verdict.reason, verdict.fix?.command ?? null]).toEqual([state, reason, command]);
    expect(verdict.detail).toMatch(/^[A-Z].*\.$/);
    if (state === 'needs_you') expect(verdict.missing).not.toBeNull();
  });

  it.each(earFailures)('of an ear that failed by %s is for a person, or passes by itself', (earFailure) => {
    const lasting: readonly EarFailure[] = [
      'no-device',
      'refused',
      'no-recorder',
      'source-unknown',
      'no-echo-cancelled',
    ];
    expect(judgeMicrophone(facts({ earFailure })).state).toBe(lasting.includes(earFailure) ? 'needs_you' : 'working');
  });
});

describe('what others are told', () => {
  it.each<[string, MicrophoneContext | null, string]>([
    ['while its part restarts', null, 'unreadable'],
    ['before the first scan', facts({ scan: null }), 'unreadable'],
    ['without a microphone', facts({ scan: nothing }), 'not_required'],
    ['without one by the profile', facts({ scan: suppressed }), 'not_required'],
    ['with one that the system refuses', facts({ scan: refused }), 'missing'],
    ['allowed', facts(), 'held'],
    ['allowed, with voice off', facts({ isVoiceOn: false }), 'held'],
    ['not needed yet', facts({ isVoiceOn: false, permission: 'needed' }), 'not_required'],
    ['allowed, as far as the kernel knows', facts({ scan: undetermined }), 'held'],
    ...(['needed', 'asking', 'denied', 'no-place'] as const).map(
      (permission: MicrophonePermission): [string, MicrophoneContext, string] => [
        `with voice on: ${permission}`,
        facts({ permission }),
        'missing',
      ],
    ),
  ])('as a right: %s', (_, context, word) => expect(permissionsOf(null, context).microphone).toBe(word));

  const view = microphone.status.view as (facts: object) => { readonly microphone: Record<string, unknown> };
  it.each<[string, MicrophoneContext | undefined, object]>([
    ['restarting', undefined, { state: 'undetermined', permission: 'needed' }],
    ['present', facts(), { state: 'present', permission: 'allowed', reason: 'microphone-ready', action: 'none' }],
    ['absent', facts({ scan: nothing }), { state: 'absent', reason: 'no-microphone' }],
    ['refused', facts({ scan: refused }), { state: 'refused', reason: 'microphone-refused' }],
    ['undetermined', facts({ scan: undetermined }), { state: 'undetermined' }],
    [
      'no place',
      facts({ permission: 'no-place' }),
      { permission: 'no-place', action: expect.stringMatching(/machine/) },
    ],
  ])('in the status document: %s', (_, context, shown) => {
    const document = view({ read: () => context }).microphone;
    expect(document).toMatchObject(shown);
    expect(microphone.status.shape().microphone.safeParse(document).success).toBe(true);
  });
});
