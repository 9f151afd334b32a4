import { describe, expect, it } from 'vitest';

import { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { ProfileParts, ProfileShape } from '#profiles/document.ts';
import { cameraOf, microphoneOf } from '#profiles/left-to-system.ts';
import { readProfile } from '#profiles/read.ts';
import { requirementsOf } from '#profiles/requirements.ts';
import { sharedParts } from '#profiles/resolve.ts';
import { risksOf } from '#profiles/risks.ts';
import { templateYaml } from '#profiles/template.ts';

type Os = ProfileShape['platform']['os'];
type Hardware = NonNullable<ProfileParts['hardware']>;

const document = (os: Os, hardware?: Hardware): ProfileShape => ({
  schema: 1,
  id: 'hall.bare',
  version: '1.0.0',
  display_name: 'Hall',
  metadata: { author: 'The owner', license: 'MIT', maturity: 'draft' },
  requires: { drivers: [] },
  match: { priority: 0, fallback: false, any: [] },
  platform: { os },
  ...(hardware === undefined ? {} : { hardware }),
});

const simulated = new SimulatedDevice();
const any = { kind: 'v4l2', name: null, rotate: 0 };
const turned = { driver: 'camera.v4l2', options: { name: 'HD Webcam: HD Webcam', rotate: 180 } };

/** The template with another camera. */
const read = (camera: string) =>
  readProfile(
    new TextEncoder().encode(
      templateYaml()
        .replace('  camera: auto\n', `  camera: ${camera}\n`)
        .replace('power.system]', `power.system${camera.includes('camera.v4l2') ? ', camera.v4l2' : ''}]`),
    ),
  );

describe('the camera of a profile', () => {
  it.each<[string, Os, Hardware | undefined, unknown]>([
    ['is any, if nothing is said', 'linux', undefined, any],
    ['is any, if the system decides', 'linux', { camera: 'auto' }, any],
    ['is none, if that is said', 'linux', { camera: 'absent' }, null],
    ['is the one that is named', 'linux', { camera: turned }, { ...any, name: 'HD Webcam: HD Webcam', rotate: 180 }],
    ['is any, with the defaults of a driver', 'linux', { camera: { driver: 'camera.v4l2' } }, any],
    [
      'is the simulated one',
      'simulated',
      { camera: { driver: 'camera.simulated' } },
      { kind: 'simulated', device: simulated },
    ],
    ['is none, where no hardware is touched', 'simulated', undefined, null],
  ])('%s', (_, os, hardware, camera) => {
    expect(cameraOf(document(os, hardware), sharedParts(simulated))).toEqual(camera);
  });

  it('cannot be one of another family', () => {
    expect(() => cameraOf(document('linux', { camera: { driver: 'led.class' } }), sharedParts())).toThrow(
      'driver led.class cannot be made',
    );
  });

  it.each<[string, Os, Hardware | undefined, boolean]>([
    ['left to the system', 'linux', undefined, true],
    ['that is named', 'linux', { camera: turned }, true],
    ['that is not there', 'linux', { camera: 'absent' }, false],
    ['of an Android panel', 'android', undefined, false],
    ['that is simulated', 'simulated', { camera: { driver: 'camera.simulated' } }, false],
  ])('%s is a risk, if it can be opened', (_, os, hardware, isRisk) => {
    const risks = risksOf(document(os, hardware)).map(({ code }) => code);
    expect(risks.includes('camera-open')).toBe(isRisk);
  });

  it.each<[string, Hardware | undefined]>([
    ['left to the system', undefined],
    ['that is named', { camera: turned }],
  ])('%s needs ffmpeg and a group, which nothing misses without it', (_, hardware) => {
    const [camera, ...further] = requirementsOf(document('linux', { ...hardware, microphone: 'absent' })).map(
      ({ requirement }) => requirement,
    );
    expect(camera).toMatchObject({
      slot: 'camera',
      capability: 'camera',
      driver: 'camera.v4l2',
      importance: 'optional',
      groups: ['video'],
      packages: ['ffmpeg'],
    });
    expect(further).toEqual([]);
  });

  it('is looked for without being opened, by its name', async () => {
    const named = { driver: 'camera.v4l2', options: { name: 'No such camera' } };
    const [camera] = requirementsOf(document('linux', { camera: named }));
    expect(await camera?.probe()).toEqual({
      state: 'missing',
      names: [],
      detail: 'The kernel lists no camera of that name.',
    });
  });
});

describe('the microphone of a profile', () => {
  const named = { driver: 'microphone.system', options: { source: 'alsa_input.usb-046d_0825-02.mono-fallback' } };
  const system = { kind: 'system', source: null };

  it.each<[string, Os, Hardware | undefined, unknown]>([
    ['is any, if nothing is said', 'linux', undefined, system],
    ['is any, if the system decides', 'linux', { microphone: 'auto' }, system],
    ['is none, if that is said', 'linux', { microphone: 'absent' }, null],
    ['is the one that is named', 'linux', { microphone: named }, { kind: 'system', ...named.options }],
    ['is none on an Android panel', 'android', undefined, null],
    ['is none there, whatever is left to the system', 'android', { microphone: 'auto' }, null],
    ['is none, where no hardware is touched', 'simulated', undefined, null],
    [
      'is the simulated one',
      'simulated',
      { microphone: { driver: 'microphone.simulated' } },
      { kind: 'simulated', device: simulated },
    ],
  ])('%s', (_, os, hardware, microphone) => {
    expect(microphoneOf(document(os, hardware), sharedParts(simulated))).toEqual(microphone);
  });

  it.each<[string, Os, Hardware | undefined, boolean]>([
    ['left to the system', 'linux', undefined, true],
    ['that is named', 'linux', { microphone: named }, true],
    ['that is not there', 'linux', { microphone: 'absent' }, false],
    ['of an Android panel', 'android', undefined, false],
  ])('%s is a risk, if it can be opened', (_, os, hardware, isRisk) => {
    const risks = risksOf(document(os, hardware)).map(({ code }) => code);
    expect(risks.includes('microphone-open')).toBe(isRisk);
  });

  it('needs a group, and neither of two recorders alone', () => {
    const parts = requirementsOf(document('linux', { camera: 'absent' })).map(({ requirement }) => requirement);
    expect(parts).toMatchObject([
      {
        slot: 'microphone',
        capability: 'microphone',
        driver: 'microphone.system',
        importance: 'optional',
        groups: ['audio'],
        packages: [],
      },
    ]);
  });

  it.each([
    ['auto', true],
    ['{ driver: microphone.system, options: { source: "plughw:CARD=Device" } }', true],
    ['{ driver: microphone.system, options: { source: "a; reboot" } }', false],
    ['{ driver: microphone.system, options: { source: "--help" } }', false],
    ['louder', false],
  ])('reads %s as the schema says', (microphone, isTaken) => {
    const text = templateYaml()
      .replace('  microphone: auto\n', `  microphone: ${microphone}\n`)
      .replace('power.system]', `power.system${microphone.includes('driver') ? ', microphone.system' : ''}]`);
    expect(readProfile(new TextEncoder().encode(text)).ok).toBe(isTaken);
  });
});

describe('reading the camera of a profile', () => {
  it.each([
    'auto',
    'absent',
    '{ driver: camera.v4l2 }',
    '{ driver: camera.v4l2, options: { name: Door, rotate: 90 } }',
  ])('takes %s', (camera) => {
    expect(read(camera)).toMatchObject({ ok: true, warnings: [] });
  });

  it.each([
    ['autoo', 'hardware.camera', 'not-allowed', 'Did you mean "auto"?'],
    ['5', 'hardware.camera', 'not-allowed', 'Write "auto" or "absent".'],
    ['{ driver: camera.v4l }', 'hardware.camera.driver', 'not-allowed', 'Did you mean "camera.v4l2"?'],
    [
      '{ driver: camera.v4l2, options: { nam: x } }',
      'hardware.camera.options.nam',
      'unknown-key',
      'Did you mean "name"?',
    ],
    [
      '{ driver: camera.v4l2, options: { rotate: 45 } }',
      'hardware.camera.options.rotate',
      'not-allowed',
      'Write 0 or 90',
    ],
    [
      '{ driver: camera.v4l2, options: { name: "/dev/video0" } }',
      'hardware.camera.options.name',
      'wrong-form',
      'Exact name',
    ],
  ])('refuses %s at its place, with a way out', (camera, path, reason, words) => {
    expect(read(camera)).toMatchObject({
      ok: false,
      issues: [{ path, reason, message: expect.stringContaining(words) }],
    });
  });

  it('refuses one of another system', () => {
    const reading = readProfile(
      new TextEncoder().encode(
        templateYaml()
          .replace('  camera: auto\n', '  camera: { driver: camera.simulated }\n')
          .replace('power.system]', 'power.system, camera.simulated]'),
      ),
    );
    expect(reading).toMatchObject({
      ok: false,
      issues: [{ path: 'hardware.camera.driver', reason: 'wrong-platform' }],
    });
  });
});
