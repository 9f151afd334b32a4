import { expect, it } from 'vitest';

import { isTrusted } from '#routes/kit/trusted.ts';

const host = ['Host', '127.0.0.1:8888'];

it.each<[string, string, readonly string[], boolean]>([
  ['IPv4 loopback', '127.0.0.1', host, true],
  ['any address of 127/8', '127.8.9.10', host, true],
  ['an IPv4-mapped address', '::ffff:127.0.0.1', host, true],
  ['the same in groups', '::ffff:7f00:1', host, true],
  ['IPv6 loopback', '::1', ['host', '[::1]:8888'], true],
  ['a long spelling of it', '0:0:0:0:0:0:0:1', ['Host', '[0:0:0:0:0:0:0:1]'], true],
  ['localhost', '::1', ['HOST', 'LocalHost:1'], true],
  ['localhost with its dot', '127.0.0.1', ['Host', 'localhost.'], true],
  ['no port', '127.0.0.1', ['Host', '127.0.0.1'], true],
  ['other headers', '127.0.0.1', ['Accept', '*/*', ...host, 'X-Forward', 'no', 'Viable', '1'], true],

  ['a neighbour', '192.0.2.7', host, false],
  ['a mapped neighbour', '::ffff:192.0.2.7', host, false],
  ['a neighbour by IPv6', 'fe80::1', ['Host', '[::1]'], false],
  ['128.0.0.1', '128.0.0.1', host, false],
  ['an unknown peer', '', host, false],
  ['no address', 'loopback', host, false],
  ['no Host', '127.0.0.1', [], false],
  ['an empty Host', '127.0.0.1', ['Host', ''], false],
  ['a name that was rebound', '127.0.0.1', ['Host', 'evil.local:8888'], false],
  ['a name that begins alike', '127.0.0.1', ['Host', '127.0.0.1.evil.local'], false],
  ['a name that ends alike', '127.0.0.1', ['Host', 'evil.localhost'], false],
  ['the address of the network', '127.0.0.1', ['Host', '192.0.2.5:8888'], false],
  ['another address of 127/8 as Host', '127.0.0.1', ['Host', '127.0.0.2'], false],
  ['the panel’s own name', '127.0.0.1', ['Host', 'panel.local'], false],
  ['user information', '127.0.0.1', ['Host', 'a@127.0.0.1'], false],
  ['two Hosts', '127.0.0.1', [...host, ...host], false],
  ['Forwarded', '127.0.0.1', [...host, 'forwarded', 'for=192.0.2.7'], false],
  ['X-Forwarded-For', '127.0.0.1', ['X-FORWARDED-FOR', '192.0.2.7', ...host], false],
  ['any X-Forwarded header, even empty', '127.0.0.1', [...host, 'X-Forwarded-Anything', ''], false],
  ['X-Real-IP', '::1', [...host, 'X-Real-IP', '127.0.0.1'], false],
  ['Via', '127.0.0.1', [...host, 'Via', '1.1 proxy'], false],
])('%s', (_, peer, rawHeaders, trusted) => {
  expect(isTrusted(peer, rawHeaders)).toBe(trusted);
});
