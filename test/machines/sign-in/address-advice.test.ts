import { expect, it } from 'vitest';
import { addressAdvice, targetOf } from '#machines/sign-in/address-advice.ts';

it.each([
  ['unresolvable', 'ENOTFOUND', false, /^The name in its address is not known.*Check its spelling/],
  ['unreachable', 'ECONNREFUSED', false, /^Nothing listens on port 8123 at its address\. Check the port/],
  ['unreachable', 'DEPTH_ZERO_SELF_SIGNED_CERT', true, /update-ca-certificates/],
  ['unreachable', 'ERR_SSL_WRONG_VERSION_NUMBER', true, /^Port 8123 answers, but not with TLS/],
  ['unreachable', 'ECONNRESET', false, /^Nothing answers at its address/],
  ['unreachable', 'timeout', false, /^Nothing answers at its address/],
] as const)('%s, %s, TLS %s: says what is wrong and what to do', (error, code, tls, words) => {
  expect(addressAdvice({ error, code }, { port: 8123, tls })).toMatch(words);
});

it.each([
  ['http://ha.test:8123', { host: 'ha.test', port: 8123, tls: false }],
  ['http://ha.test', { host: 'ha.test', port: 80, tls: false }],
  ['https://ha.test', { host: 'ha.test', port: 443, tls: true }],
  ['http://[fd00::7]:8123', { host: 'fd00::7', port: 8123, tls: false }],
])('%s leads to %o', (origin, target) => {
  expect(targetOf(origin)).toEqual(target);
});
