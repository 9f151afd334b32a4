import { fromDriver } from '#drivers/kit/from-driver.ts';
import { type NativeCalls, nativeCalls } from '#drivers/kit/native.ts';
import type { ServiceDriverCommand, ServiceFact } from '#machines/service/events.ts';

/** Sends lines of the notification protocol (sd_notify(3)) to the service manager's socket, in order. */
export const serviceNotify = (socket: string, native: () => Promise<NativeCalls | null> = nativeCalls) =>
  fromDriver<ServiceDriverCommand, undefined, ServiceFact>((scope) => {
    scope.onEvent(async ({ lines }) => {
      const calls = await native();
      // Each line is one assignment: a line break inside a sentence would start another.
      const payload = lines.map((line) => line.replace(/[\r\n]+/g, ' ')).join('\n');
      const code = calls === null ? 'no-native-calls' : calls.sendUnixDatagram(socket, payload);
      if (code !== null) scope.send({ type: 'notice.refused', code });
    });
  });
