import { expect, it } from 'vitest';

import { adviceOf } from '#machines/broker-probe/advice.ts';

it.each([
  ['unresolvable', 'ENOTFOUND', false, /^This name is not known.*Check its spelling/],
  ['unresolvable', 'timeout', true, /^This name is not known/],
  ['unreachable', 'ECONNREFUSED', false, /^Nothing listens on port 1884 there.*usually 1883,/],
  ['unreachable', 'ECONNREFUSED', true, /^Nothing listens on port 1884 there.*usually 8883,/],
  [
    'unreachable',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    true,
    /not trusted by this panel.*update-ca-certificates.*restarted\.$/,
  ],
  ['unreachable', 'ERR_TLS_CERT_ALTNAME_INVALID', true, /for a different name/],
  ['unreachable', 'ERR_SSL_WRONG_VERSION_NUMBER', true, /^Port 1884 answers, but not with TLS/],
  ['unreachable', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', true, /^Port 1884 .*with TLS, .*client certificate/],
  ['unreachable', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', true, /^Port 1884 answers with TLS, .*TLS 1\.2 or newer/],
  ['unreachable', 'handshake-timeout', true, /^Port 1884 answers, but not with TLS/],
  ['not-a-broker', 'other-answer', false, /^Port 1884 answers, but not as an MQTT broker.*1883.*mqtts:/],
  ['not-a-broker', 'timeout', true, /^Port 1884 answers, but not as an MQTT broker.*8883\.$/],
  ['unreachable', 'ECONNRESET', false, /^Nothing answers there/],
  ['unreachable', 'timeout', true, /^Nothing answers there.*switched on/],
  ['unreachable', 'EHOSTUNREACH', false, /^Nothing answers there/],
] as const)('%s, %s, TLS %s: says what is wrong and what to do', (error, code, tls, words) => {
  expect(adviceOf({ error, code }, { port: 1884, tls })).toMatch(words);
});
