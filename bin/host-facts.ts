import type { RouteDeps } from '#routes/kit/deps.ts';

/** What the diagnostics say of the process and its machine; never a name or an address. */
export const hostFacts = (): RouteDeps['host'] => ({
  node: process.versions.node,
  arch: process.arch,
  platform: process.platform,
  uid: process.getuid?.() === 0 ? 'root' : 'user',
  systemd: process.env['INVOCATION_ID'] === undefined ? 'no' : 'yes',
});
