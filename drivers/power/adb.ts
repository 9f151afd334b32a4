import type { AdbLink } from '#drivers/adb/link.ts';
import { noAndroidPanel } from '#drivers/adb/verdicts.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { working } from '#machines/kit/verdict.ts';
import type { PowerDriver, PowerDriverCommand, PowerFact } from '#machines/power/events.ts';

/** Reboots the Android panel behind a link; possible while the panel answers. */
export const adbPower = (link: AdbLink): PowerDriver =>
  fromDriver<PowerDriverCommand, undefined, PowerFact>(({ send, onEvent, guard, signal }) => {
    const probe = (): void => {
      send(
        link.online
          ? {
              type: 'reboot.route',
              route: 'adb',
              verdict: working('adb', 'The Android panel can be rebooted over its debugging bridge.'),
            }
          : { type: 'reboot.route', route: null, verdict: noAndroidPanel },
      );
    };
    const reboot = async (): Promise<void> => {
      send({ type: 'reboot.asked', at: Date.now() });
      const answer = await link.run({ do: 'reboot' }, signal);
      send(
        answer.ok
          ? { type: 'reboot.begun', at: Date.now() }
          : { type: 'reboot.refused', reason: answer.reason, at: Date.now() },
      );
    };
    onEvent((command) => (command.type === 'reboot.probe' ? probe() : reboot()));
    const unobserve = link.observe(guard(probe));
    probe();
    return unobserve;
  });
