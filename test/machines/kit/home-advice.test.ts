import { expect, it } from 'vitest';

import { adviceOf } from '#machines/kit/home-advice.ts';

it.each([
  ['unresolvable', 'ENOTFOUND', /^This name is not known.*Check its spelling/],
  ['elsewhere', 'http-301', /redirects to another one.*browser shows/],
  ['not-home-assistant', 'http-404', /it is not Home Assistant.*8123/],
  ['unreachable', 'ECONNREFUSED', /^Nothing listens on that port.*8123/],
  ['unreachable', 'ETIMEDOUT', /^Nothing answers there/],
  ['unreachable', 'EPROTO', /does not speak https/],
  ['unreachable', 'DEPTH_ZERO_SELF_SIGNED_CERT', /not trusted by this panel/],
] as const)('%s, %s: says what is wrong and what to do', (error, code, words) => {
  expect(adviceOf({ status: 'failed', error, code })).toMatch(words);
});

it('says that Home Assistant answers', () =>
  expect(adviceOf({ status: 'answered' })).toBe('Home Assistant answers there.'));

it.each([
  ['http://192.168.1.10:8124', 'port 8124'],
  ['http://192.168.1.10', 'port 80'],
  ['https://home.test', 'port 443'],
])('names the port of %s where it is known', (origin, port) =>
  expect(adviceOf({ status: 'failed', error: 'unreachable', code: 'ECONNREFUSED' }, origin)).toMatch(
    new RegExp(`^Nothing listens on ${port} there`),
  ),
);
