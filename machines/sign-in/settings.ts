import { z } from 'zod';
import { setting, textUpTo } from '../kit/fields.ts';
import { ADDRESS_LENGTH, homeAssistantOrigin, homeAssistantRecipient } from './home-assistant-address.ts';

/** Longest access token in characters (as panel-assistant). */
const TOKEN_LENGTH = 16_384;

/** Where Home Assistant is and how the panel signs in there. */
export const signInSettings = z.object({
  ha_url: setting(
    textUpTo(
      ADDRESS_LENGTH,
      z.check<string>((ctx) => {
        if (ctx.value === '') return;
        const origin = homeAssistantOrigin(ctx.value);
        if (!origin.ok) ctx.issues.push({ code: 'custom', input: ctx.value, message: origin.message });
      }),
      z.overwrite<string>((text) => {
        const origin = homeAssistantOrigin(text);
        return text !== '' && origin.ok ? origin.value : text;
      }),
    ),
    '',
    {
      title: 'Address of Home Assistant',
      help: 'Where you open Home Assistant in your browser, from this network; the panel shows its dashboard from there.',
      group: 'home-assistant',
      tier: 'basic',
      scope: 'portable',
      placeholder: 'http://homeassistant.local:8123',
      // Another address is another page on the screen, which may also speak.
      protects: { operation: 'DISPLAY_CONFIGURATION' },
      recipientOf: {
        secrets: ['ha_token', 'ha_oauth'],
        recipient: homeAssistantRecipient,
        unnamed: 'A token is for one Home Assistant only: enter its address in the same save.',
      },
    },
  ),
  ha_token: setting(textUpTo(TOKEN_LENGTH), '', {
    title: 'Long-lived access token',
    help: 'Only instead of signing in: made in Home Assistant under your profile, Security; never shown again. The dashboard gets it as it is: a script in it can keep it for ten years, where a sign-in gives it half an hour.',
    group: 'home-assistant',
    tier: 'advanced',
    scope: 'device',
    secret: true,
  }),
  ha_oauth: setting(textUpTo(TOKEN_LENGTH), '', {
    title: 'Sign-in to Home Assistant',
    help: 'What the panel keeps of its sign-in; it is set by signing in and removed by signing out.',
    group: 'home-assistant',
    tier: 'advanced',
    scope: 'device',
    secret: true,
    hidden: true,
  }),
});
