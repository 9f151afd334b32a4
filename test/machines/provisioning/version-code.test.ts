import { expect, test } from 'vitest';
import { versionCode } from '#machines/provisioning/version-code.ts';

test.each([
  ['0.1.0', 1000],
  ['1.2.3', 1_002_003],
  ['999.999.999', 999_999_999],
  ['0.1.0-test', 1000],
  ['0.2.0-dev', 2000],
  ['1.2.3+build.5', 1_002_003],
  ['1.2', null],
  ['1.2.3.4', null],
  ['1.2.1000', null],
  ['v1.2.3', null],
  ['', null],
])('the version %j is the number %j', (version, code) => {
  expect(versionCode(version)).toBe(code);
});

test('a newer version is a higher number', () => {
  const codes = ['0.1.0', '0.1.1', '0.2.0', '0.10.0', '1.0.0'].map((version) => versionCode(version) ?? -1);
  expect(codes).toEqual(codes.toSorted((a, b) => a - b));
});
