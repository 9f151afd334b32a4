import { access } from 'node:fs/promises';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { ownUser } from '#drivers/kit/own-user.ts';
import { runTool, type ToolEnv } from '#drivers/kit/run-tool.ts';
import type { PowerDriver, PowerDriverCommand, PowerFact } from '#machines/power/events.ts';

import { judgeReboot, parseCanReboot } from './verdicts.ts';

export interface SystemPowerOptions {
  /** Environment of the tools; the process's by default. */
  readonly env?: ToolEnv;
  /** Folder that exists if systemd runs the system (sd_booted(3)). */
  readonly systemdFolder?: string;
  readonly isRoot?: boolean;
}

const LOGIND = [
  '--system',
  'call',
  'org.freedesktop.login1',
  '/org/freedesktop/login1',
  'org.freedesktop.login1.Manager',
];

/** Reboots through logind, or as root through systemctl; a probe checks the rights without rebooting. */
export const systemPower = (options: SystemPowerOptions = {}): PowerDriver =>
  fromDriver<PowerDriverCommand, undefined, PowerFact>(({ send, onEvent, signal }) => {
    const { env = process.env, systemdFolder = '/run/systemd/system', isRoot = process.getuid?.() === 0 } = options;
    let route: 'logind' | 'systemctl' | null = null;

    const probe = async (): Promise<void> => {
      const answer = await runTool('busctl', [...LOGIND, 'CanReboot'], env, signal);
      const systemd = await access(systemdFolder).then(
        () => true,
        () => false,
      );
      const judged = judgeReboot(answer.ok ? parseCanReboot(answer.value) : null, systemd, isRoot, ownUser());
      ({ route } = judged);
      send({ type: 'reboot.route', ...judged });
    };
    const reboot = async (): Promise<void> => {
      send({ type: 'reboot.asked', at: Date.now() });
      if (route === null) {
        send({ type: 'reboot.refused', reason: 'no-reboot-route', at: Date.now() });
        return;
      }
      const answer =
        route === 'logind'
          ? await runTool('busctl', [...LOGIND, 'Reboot', 'b', 'false'], env, signal)
          : await runTool('systemctl', ['reboot', '--no-wall', '--no-ask-password'], env, signal);
      send(
        answer.ok
          ? { type: 'reboot.begun', at: Date.now() }
          : { type: 'reboot.refused', reason: answer.reason, at: Date.now() },
      );
    };

    onEvent((command) => (command.type === 'reboot.probe' ? probe() : reboot()));
    return probe();
  });
