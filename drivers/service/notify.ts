import { fromDriver } from '#drivers/kit/from-driver.ts';
import { type NativeCalls, nativeCalls } from '#drivers/kit/native.ts';
import type { ServiceDriverCommand, ServiceFact } from '#machines/service/events.ts';

/** Sends the notification protocol's lines (sd_notify(3)) to the socket of the service manager, in order. */
export const serviceNotify = (socket: string, native: () => Promise<NativeCalls | null> = nativeCalls) =>
  fromDriver<ServiceDriverCommand, undefined, ServiceFact>((scope) => {
    scope.onEvent(async ({ lines }) => {
      const calls = await native();
      // One value per line is the protocol: a line break inside a sentence would start another assignment.
      const payload = lines.map((line) => line.replace(/[\r\n]+/g, ' ')).join('\n');
      const code = calls === null ? 'no-native-calls' : calls.sendUnixDatagram(socket, payload);
      if (code !== null) scope.send({ type: 'notice.refused', code });
    });
  });
