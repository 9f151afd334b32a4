import { readFileSync } from 'node:fs';
import type { InstallRequest, MachineScan, Person } from '#machines/install/events.ts';
import { knownPackages } from '#machines/install/packages.ts';

const template = (name: string): string =>
  readFileSync(new URL(`../../../bin/install/${name}`, import.meta.url), 'utf8');

/** A user with a desktop session. */
export const anna: Person = { name: 'anna', uid: 1000, gid: 1000, home: '/home/anna' };

/** A fresh Debian 13 without a desktop, on a tablet's board with a backlight. */
export const bare: MachineScan = {
  root: true,
  systemd: true,
  apt: 'ready',
  nodes: [{ path: '/usr/bin/node', version: '20.19.2', open: true }],
  broughtNode: null,
  packages: Object.fromEntries(knownPackages.map((name) => [name, { installed: false, candidate: '1.0' }])),
  desktop: null,
  desktopUser: null,
  caller: anna,
  named: null,
  kioskUser: null,
  groups: ['video', 'render', 'input', 'audio'],
  backlight: true,
  screen: true,
  outputs: true,
  fonts: true,
  soundTool: true,
  recorder: true,
  profile: { id: 'generic-linux', title: 'Linux panel', origin: 'bundled', requirements: [] },
  tried: null,
  installed: null,
  templates: { 'sconce.service': template('sconce.service'), 'sconce-kiosk.service': template('sconce-kiosk.service') },
};

/** A call without options. */
export const plain: InstallRequest = { shape: null, user: null, profile: null, given: [], packages: true };
