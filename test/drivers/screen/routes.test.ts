import { describe, expect, it } from 'vitest';

import { parseDetect, parseFeature } from '#drivers/screen/ddc.ts';
import { parseXrandr } from '#drivers/screen/dimming.ts';
import { parseKscreen } from '#drivers/screen/kscreen.ts';
import { evidenceOf, judgeRoutes, remarkOf } from '#drivers/screen/verdicts.ts';
import { parseWlopm } from '#drivers/screen/wlopm.ts';
import { parseXset } from '#drivers/screen/xset.ts';

describe('what the tools print', () => {
  it('wlopm', () => {
    expect(parseWlopm('HDMI-A-1 on\nDSI-1 off\n')).toEqual(
      new Map([
        ['HDMI-A-1', true],
        ['DSI-1', false],
      ]),
    );
    expect(parseWlopm('')).toEqual(new Map());
    expect(parseWlopm('ERROR: Wayland server does not support wlr-output-power-management-v1\n')).toBeNull();
  });

  it('kscreen-doctor', () => {
    expect(parseKscreen('dpms mode for screen DP-1: on\ndpms mode for screen eDP-1: standby\n')).toEqual(
      new Map([
        ['DP-1', true],
        ['eDP-1', false],
      ]),
    );
    expect(parseKscreen('no valid QScreen\n').size).toBe(0);
  });

  it.each<[string, boolean | 'no-dpms' | null]>([
    ['DPMS (Energy Star):\n  DPMS is Enabled\n  Monitor is On\n', true],
    ['DPMS (Energy Star):\n  DPMS is Enabled\n  Monitor is Off\n', false],
    ['DPMS (Energy Star):\n  DPMS is Enabled\n  Monitor is in Suspend\n', false],
    ['DPMS (Energy Star):\n  Standby: 600    Suspend: 600    Off: 600\n  DPMS is Disabled\n', true],
    ['DPMS (Energy Star):\n  Server does not have the DPMS Extension\n', 'no-dpms'],
    ['nothing of the kind', null],
  ])('xset: %j', (text, powered) => expect(parseXset(text)).toBe(powered));

  it('xrandr', () => {
    const text =
      'Screen 0: minimum 8 x 8\nHDMI-1 connected primary 800x480+0+0\n\tBrightness: 0.35\nDP-1 disconnected\n\tBrightness: 1.0\nDSI-1 connected\n\tBrightness: 1\n';
    expect(parseXrandr(text)).toEqual(
      new Map([
        ['HDMI-1', 35],
        ['DSI-1', 100],
      ]),
    );
  });

  it('ddcutil detect, of both generations, without what it calls invalid', () => {
    const first = 'Display 1\n   I2C bus:  /dev/i2c-4\n   DRM connector:           card0-HDMI-A-1\n   Monitor:   DEL\n';
    const second =
      'Display 2\n   I2C bus:  /dev/i2c-20\n   DRM_connector:           card1-DP-2\n\nInvalid display\n   I2C bus:  /dev/i2c-5\n   DRM connector: card0-eDP-1\n';
    expect(parseDetect(first + second)).toEqual([
      { bus: 4, connector: 'HDMI-A-1' },
      { bus: 20, connector: 'DP-2' },
    ]);
    expect(parseDetect('Display 1\n   I2C bus:  /dev/i2c-7\n')).toEqual([{ bus: 7, connector: null }]);
    expect(parseDetect('No /dev/i2c devices exist.\nddcutil requires module i2c-dev.\n')).toEqual([]);
  });

  it('ddcutil getvcp', () => {
    expect(parseFeature('VCP 10 C 40 80\n')).toEqual({ value: 40, max: 80 });
    expect(parseFeature('VCP D6 SNC x04\n')).toEqual({ value: 4, max: null });
    expect(parseFeature('VCP D6 CNC x00 x05 x00 x01\n')).toEqual({ value: 1, max: null });
    expect(parseFeature('VCP 10 ERR\n')).toBeNull();
  });
});

const refused = (
  reason: 'not-installed' | 'no-session' | 'other-users' | 'not-permitted' | 'nothing-there' | 'failed',
  message = '',
) => ({ reason, message });

describe('what is said', () => {
  it('names each route with why it was of no use, and one command', () => {
    const verdict = judgeRoutes(
      {
        backlight: refused('nothing-there'),
        wlopm: refused('not-installed'),
        kscreen: refused('not-installed'),
        xset: refused('no-session'),
        dimming: refused('no-session'),
        ddc: refused('not-installed'),
      },
      ['HDMI-A-1'],
    );
    expect(verdict).toMatchObject({
      state: 'needs_you',
      reason: 'no-display-route',
      fix: { command: 'sudo apt-get install -y wlopm' },
    });
    for (const words of [
      'the compositor (wlopm): not installed',
      'the X server (xset): no such session runs',
      'the monitor itself (ddcutil)',
    ])
      expect(verdict.detail).toContain(words);
  });

  it('says of a session that it belongs to another user', () => {
    const only = { backlight: refused('nothing-there'), wlopm: refused('other-users'), xset: refused('other-users') };
    const { detail, fix } = judgeRoutes(only, []);
    expect([detail, fix]).toEqual([
      expect.stringContaining('the X server (xset): the session belongs to another user'),
      null,
    ]);
  });

  const alone = {
    backlight: refused('nothing-there'),
    wlopm: refused('no-session'),
    kscreen: refused('no-session'),
    xset: refused('no-session'),
    dimming: refused('no-session'),
  };
  it.each([
    [
      'xset is missing',
      { wlopm: refused('no-session'), xset: refused('not-installed') },
      [],
      'sudo apt-get install -y x11-xserver-utils',
    ],
    [
      'ddcutil is missing',
      { ...alone, ddc: refused('not-installed') },
      ['eDP-1', 'HDMI-A-1'],
      'sudo apt-get install -y ddcutil',
    ],
    ['the cable may not be used', { ...alone, ddc: refused('not-permitted') }, ['DP-2'], 'usermod -aG i2c'],
    ['the buses are not shown', { ...alone, ddc: refused('failed') }, ['VGA-1'], 'modprobe i2c-dev'],
    [
      'the backlight may not be written',
      { ...alone, backlight: refused('not-permitted', 'panel'), ddc: refused('not-installed') },
      [],
      'usermod -aG video',
    ],
  ])('the command when %s', (_, refusals, connected, command) =>
    expect(judgeRoutes(refusals, connected).fix?.command).toContain(command),
  );

  it.each(['not-installed', 'failed', 'not-permitted', 'nothing-there'] as const)(
    'names no tool as what is missing where there is no screen at all (ddcutil: %s)',
    (ddc) => {
      expect(judgeRoutes({ ...alone, ddc: refused(ddc) }, [])).toMatchObject({
        state: 'not_here',
        reason: 'no-display',
        missing: 'A screen.',
        fix: null,
      });
    },
  );

  it('sends nobody to a cable where an X server runs without a screen', () => {
    expect(
      judgeRoutes({ ...alone, xset: refused('failed'), dimming: refused('failed'), ddc: refused('failed') }, []),
    ).toMatchObject({ state: 'not_here', reason: 'no-display-route', fix: null });
  });

  it.each(['eDP-1', 'DSI-1', 'LVDS-1', 'Virtual-1', 'Unknown-1'])(
    'sends nobody to a cable that %s does not have',
    (connector) => {
      expect(judgeRoutes({ ...alone, ddc: refused('failed') }, [connector])).toMatchObject({
        state: 'not_here',
        reason: 'no-display-route',
        fix: null,
      });
    },
  );

  it('has no command where none would help', () => {
    expect(
      judgeRoutes({ wlopm: refused('no-session'), xset: refused('no-session'), ddc: refused('nothing-there') }, [
        'HDMI-A-1',
      ]),
    ).toMatchObject({ state: 'not_here', fix: null });
  });

  it('says what a display that works in part lacks, and nothing of one that lacks nothing', () => {
    const display = {
      name: 'x',
      rawMax: 80,
      rawMin: 1,
      power: false,
      routes: { brightness: 'ddc', power: null },
    } as const;
    expect(remarkOf(display, { wlopm: refused('no-session') }, ['HDMI-A-1'])?.missing).toMatch(
      /switch this screen off\. Tried: the compositor/,
    );
    expect(
      remarkOf(
        { ...display, power: true, routes: { brightness: 'ddc', power: 'ddc' } },
        { wlopm: refused('no-session') },
        ['HDMI-A-1'],
      ),
    ).toBeUndefined();
    expect(evidenceOf({})).toBe('');
  });
});
