import { describe, expect, it } from 'vitest';

import type { ProfileReading } from '#machines/profile-catalog/reading.ts';
import { buttonFault, codeOf } from '#profiles/drivers/button-keys.ts';
import { keyCodes, switchCodes, typingCodes } from '#profiles/drivers/key-codes.ts';
import { readProfile, readSavedProfile } from '#profiles/read.ts';
import { resolveProfile } from '#profiles/resolve.ts';
import { templateYaml } from '#profiles/template.ts';
import type { ProfileShape } from '#profiles/document.ts';

const key = (code: string | number, kind: 'key' | 'switch' = 'key') => buttonFault({ code, kind })?.reason ?? null;

/** What a keyboard writes, edits and shifts with (linux/input-event-codes.h), as ranges of codes. */
const written = [
  [2, 58],
  [69, 86],
  [89, 98],
  [100, 100],
  [110, 112],
  [117, 118],
  [121, 124],
  [179, 180],
  [434, 435],
  [497, 506],
  [512, 527],
] as const;

describe('a button of a profile', () => {
  it('may be on a key that panels have', () => {
    for (const code of ['KEY_POWER', 'KEY_VOLUMEUP', 'KEY_F1', 'KEY_BACK', 'KEY_UP', 'KEY_LEFTMETA', 'BTN_0', 116, 256])
      expect(key(code)).toBeNull();
    for (const code of ['SW_DOCK', 'SW_LID', 0, 16]) expect(key(code, 'switch')).toBeNull();
  });

  it('is on no key that writes', () => {
    const all = new Set(Object.values(keyCodes));
    for (const [first, last] of written)
      for (let code = first; code <= last; code += 1) {
        expect(all.has(code), String(code)).toBe(false);
        expect(key(code), String(code)).not.toBeNull();
      }
    for (const [name, code] of Object.entries(typingCodes)) {
      expect(key(name)).toBe('typing-key');
      expect(key(code)).toBe('typing-key');
    }
  });

  it('is on nothing that is in no list, and in no list twice', () => {
    for (const code of [0, 330, 335, 701, 767]) expect(key(code)).toBe('unknown-key');
    expect(key(17, 'switch')).toBe('unknown-key');
    const codes = [...Object.values(keyCodes), ...Object.values(typingCodes)];
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('is not on a letter by the name of a switch', () => {
    for (const name of Object.keys(switchCodes)) expect(key(name)).toBe('wrong-kind');
    for (const name of Object.keys(keyCodes)) expect(key(name, 'switch')).toBe('wrong-kind');
  });

  it('is named by no word that every object has', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(codeOf(name)).toBe(0);
      expect(key(name)).toBe('unknown-key');
    }
  });
});

const used = 'input: { driver: input.evdev }';
function withButtons(...buttons: readonly string[]): string {
  expect(templateYaml()).toContain(used);
  return templateYaml().replace(
    used,
    `input:\n  driver: input.evdev\n  options:\n    buttons:\n${buttons.map((one) => `      - ${one}\n`).join('')}`,
  );
}
const power = '{ name: power, device: "gpio-keys", code: KEY_POWER, grab: true }';
const letter = '{ name: spy, device: "*", code: KEY_A }';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const riskOf = (reading: ProfileReading, code: string): string | undefined =>
  reading.ok ? reading.risks.find((risk) => risk.code === code)?.detail : undefined;

describe('a profile with a key for typing', () => {
  const text = withButtons(power, letter);

  it('is refused when it is new, at the place of the key', () => {
    const reading = readProfile(bytes(text));
    const [issue] = reading.ok ? [] : reading.issues;
    expect(issue).toMatchObject({
      severity: 'error',
      path: 'input.options.buttons[1].code',
      reason: 'typing-key',
      line: text.slice(0, text.indexOf('KEY_A')).split('\n').length,
    });
    expect(issue?.message).toContain('input.options.buttons[1].code is KEY_A, a key that people type with');
  });

  it('stays in use when it was saved before, without that button', () => {
    const reading = readSavedProfile(bytes(text));
    expect(reading).toMatchObject({ ok: true, warnings: [{ reason: 'typing-key', severity: 'warning' }] });
    if (!reading.ok) return;
    // What its reader let through has this shape.
    const shape = reading.document as unknown as ProfileShape;
    expect(resolveProfile(shape, { hash: '', origin: 'local' }).slots.input).not.toBeNull();
    expect(riskOf(reading, 'evdev-read')).not.toContain('KEY_A');
  });

  it('is refused as a saved one for what was never allowed', () => {
    expect(readSavedProfile(bytes(withButtons('{ name: a, device: "*", code: KEY_NOTHING }'))).ok).toBe(false);
  });
});

describe('the risks of a profile with buttons', () => {
  it('name each device and key', () => {
    const reading = readProfile(
      bytes(
        withButtons(
          power,
          '{ name: up, device: rc, code: 115 }',
          '{ name: lid, device: "**", code: SW_LID, kind: switch }',
        ),
      ),
    );
    expect(riskOf(reading, 'evdev-read')).toBe(
      'It reads touch screens, keys and buttons. It reports each press of these: KEY_POWER of “gpio-keys” as “power”, KEY_VOLUMEUP of “rc” as “up”, SW_LID of any device as “lid”. A device with letter keys is never read for them.',
    );
    expect(riskOf(reading, 'evdev-grab')).toContain('It always keeps these from other programs: “gpio-keys”.');
  });

  it('say no more where there are none', () => {
    expect(riskOf(readProfile(bytes(templateYaml())), 'evdev-read')).toBe('It reads touch screens, keys and buttons.');
  });
});
