import { describe, expect, it } from 'vitest';
import { loadNewFiles } from '#drivers/install/add.ts';
import { gpioRules } from '#drivers/kit/gpio-chip.ts';
import { regulatorRules, relayNotPermitted } from '#drivers/relays/verdicts.ts';
import { ruleSubsystems, udevText } from '#machines/install/texts.ts';
import type { Requirement } from '#machines/provisioning/events.ts';
import { allDrivers } from '#profiles/drivers/all.ts';
import type { DriverEntry } from '#profiles/driver-entry.ts';

const requirementOf = ({ id, title, needs }: DriverEntry): Requirement => ({
  slot: id,
  driver: id,
  capability: null,
  title,
  importance: 'optional',
  groups: needs.groups,
  packages: needs.packages,
  udev: needs.udev,
});

describe('device rules', () => {
  it('name the subsystems whose devices are to be looked at anew', () => {
    expect(ruleSubsystems(udevText(false, []))).toEqual(['backlight']);
    expect(ruleSubsystems(udevText(true, allDrivers.map(requirementOf)))).toEqual([
      'backlight',
      'gpio',
      'i2c-dev',
      'leds',
      'platform',
      'usb',
    ]);
    expect(ruleSubsystems('# SUBSYSTEM=="tty"\nKERNEL=="null"\n')).toEqual([]);
  });

  it('of every driver are lines that name theirs', () => {
    const lines = allDrivers.flatMap(({ needs }) => needs.udev);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(ruleSubsystems(line), line).toHaveLength(1);
  });
});

describe('the commands that open relays', () => {
  it('take no rule from one another', () => {
    const file = (rules: readonly string[], subsystem: string) =>
      /\/etc\/udev\/rules\.d\/\S+/.exec(relayNotPermitted('it', rules, subsystem, 'wall').fix?.command ?? '')?.[0];
    const [one, other] = [file(gpioRules, 'gpio'), file(regulatorRules, 'platform')];
    expect(one).toBe('/etc/udev/rules.d/60-sconce-gpio.rules');
    expect(other).not.toBe(one);
  });
});

describe('what the system is told after new files', () => {
  const told = async (subsystems: readonly string[]) => {
    const commands: string[] = [];
    await loadNewFiles(
      async (command, args) => (commands.push([command, ...args].join(' ')), { code: 0, out: '', err: '' }),
      { persons: [null], modules: ['i2c-dev'], subsystems },
    );
    return commands;
  };

  it('is the rules, and then the devices of exactly their subsystems', async () => {
    expect(await told(['backlight', 'leds'])).toEqual([
      'systemctl daemon-reload',
      'modprobe i2c-dev',
      'udevadm control --reload',
      'udevadm trigger --action=change --subsystem-match=backlight --subsystem-match=leds',
    ]);
  });

  it('is never every device', async () => {
    expect((await told([])).join('\n')).not.toContain('trigger');
  });
});
