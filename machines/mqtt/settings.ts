import { z } from 'zod';
import { setting, textUpTo } from '../kit/fields.ts';
import { brokerRecipient, parseBrokerAddress } from './broker-address.ts';

/** Settings of the broker (limits as panel-assistant). They are in no form while none is wanted (`absentNow`). */
export const mqttSettings = z.object({
  mqtt_broker: setting(
    textUpTo(
      2048,
      z.check<string>((ctx) => {
        if (ctx.value === '') return;
        const address = parseBrokerAddress(ctx.value);
        if (!address.ok) ctx.issues.push({ code: 'custom', input: ctx.value, message: address.message });
      }),
      z.overwrite<string>((text) => (text === '' || text.includes('://') ? text : `mqtt://${text}`)),
    ),
    '',
    {
      title: 'Address of the broker',
      help: 'Where your MQTT broker listens. Leave it empty to use the one found alongside Home Assistant, unless the search for it is switched off.',
      group: 'mqtt',
      needs: 'mqtt',
      tier: 'basic',
      scope: 'portable',
      placeholder: 'mqtt://192.168.1.10:1883',
      recipientOf: { secrets: ['mqtt_password'], names: ['mqtt_user'], recipient: brokerRecipient, unnamed: null },
    },
  ),
  mqtt_user: setting(textUpTo(256), '', {
    title: 'Broker user name',
    help: 'The user name the broker knows this panel by; empty when it asks for none.',
    group: 'mqtt',
    needs: 'mqtt',
    tier: 'basic',
    scope: 'device',
  }),
  mqtt_password: setting(textUpTo(4096), '', {
    title: 'Password of the broker',
    help: 'The password of that user; it is never shown again.',
    group: 'mqtt',
    needs: 'mqtt',
    tier: 'basic',
    scope: 'device',
    secret: true,
  }),
  mqtt_address_family: setting(z.enum(['Automatic', 'Prefer IPv4', 'Force IPv4']), 'Automatic', {
    title: 'Address family',
    help: 'Which internet protocol is used towards the broker and Home Assistant; change it only where IPv6 is broken.',
    group: 'mqtt',
    needs: 'mqtt',
    tier: 'advanced',
    scope: 'device',
    aliases: {
      auto: 'Automatic',
      prefer_ipv4: 'Prefer IPv4',
      'prefer-ipv4': 'Prefer IPv4',
      force_ipv4: 'Force IPv4',
      'force-ipv4': 'Force IPv4',
    },
  }),
  mqtt_discovery_prefix: setting(
    textUpTo(
      128,
      z.minLength(1),
      z.regex(/^(?!\$)[^+#/\s\p{Cc}\p{Cs}]+(?:\/[^+#/\s\p{Cc}\p{Cs}]+)*$/u, {
        error:
          'must be a topic without spaces, + or #, not beginning with $, and with something before and after every /',
      }),
    ),
    'homeassistant',
    {
      title: 'Discovery prefix',
      help: 'The topic Home Assistant looks under for new devices; change it only if you changed it there.',
      group: 'mqtt',
      needs: 'mqtt',
      tier: 'advanced',
      scope: 'portable',
    },
  ),
});
