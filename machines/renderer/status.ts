import { z } from 'zod';
import { once } from '../kit/once.ts';
import { ageing } from '../kit/status.ts';
import { statusSection } from '../subsystem.ts';
import { navigationOutcomes, restartReasons } from './events.ts';
import { shownRenderer } from './phase.ts';
import { rendererView } from './view.ts';

const theme = once(() => z.enum(['dark', 'light']).nullable());
const epochMs = { description: 'Milliseconds since the Unix epoch.' };

/** The contract's renderer object (named as panel-assistant's where its names fit): never an address or a path. */
export const RendererObject = once(() =>
  z
    .object({
      mode: z.enum(['builtin', 'external', 'none']).describe('What shows the dashboard.'),
      state: z
        .enum(['rendered', 'admitted', 'checking', 'blocked', 'unobserved'])
        .describe('Drawn, on its way, being checked, blocked, or not observed.'),
      outcome: z
        .enum([
          'ok',
          'ok_cached',
          'unobserved',
          'transport_failed',
          'dashboard_list_unreadable',
          'sign_in_page_unreachable',
          'bridge_handshake_missed',
          'version_unverifiable',
          'credential_refused',
          'sign_in_required',
          'no_legal_dashboard',
          'unsupported_ha',
          'bridge_unavailable',
          'bridge_attach_failed',
        ])
        .describe('Result of the last check.'),
      fault: z
        .enum([
          'none',
          'tls_trust',
          'tls_other',
          'dns',
          'timeout',
          'refused',
          'unreachable',
          'http_status',
          'protocol',
          'unknown',
        ])
        .describe('Why Home Assistant is not responding.'),
      fault_detail: z.string().nullable().describe('Stable code of the fault; null without one.'),
      recovery: z
        .enum(['none', 'from_base', 'at_ceiling', 'manual_only'])
        .describe('Whether it is recovering: at once, slowed down, or only if a person helps.'),
      transport: z.enum(['https', 'http', 'unknown']).describe('Scheme of the address in use.'),
      address_family_policy: z
        .enum(['automatic', 'prefer_ipv4', 'force_ipv4'])
        .describe('The browser chooses by itself: `automatic`.'),
      observed_age_ms: z
        .int()
        .nullable()
        .meta({
          description: 'Since the newest event of the browser or Home Assistant; null before the first.',
          ...ageing,
        }),
      package_updated_age_ms: z
        .int()
        .nullable()
        .meta({ description: 'Null: not known here.', ...ageing }),
      process_age_ms: z.int().meta({ description: 'Since the agent started.', ...ageing }),
      rendered: z.boolean().describe('Whether the dashboard is drawn.'),
      theme_policy: z.enum(['follow', 'dark', 'light', 'ambient']).describe('What the setting says.'),
      theme_effective: theme().describe('The theme that the panel has set on the drawn page; else null.'),
      theme_ambient: theme().describe(
        'What the light of the room asks for; null without a verdict, and unless `theme_policy` is `ambient`.',
      ),
      theme_overridden: z.boolean().describe('Whether the panel sets the theme of the drawn page.'),
      theme_ambient_reason: z
        .enum([
          'room_dark',
          'room_light',
          'holding_source_unavailable',
          'waiting_for_verdict',
          'auto_brightness_off',
          'no_light_source',
        ])
        .nullable()
        .describe(
          'Why `theme_ambient` is so. Without a verdict the dashboard follows Home Assistant; null unless `theme_policy` is `ambient`.',
        ),
      theme_ambient_level: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .describe(
          'Brightness of the room, 0 to 1: dark at 0.4 and below, light from 0.55, each once held for 60 s; null while unknown, and unless `theme_policy` is `ambient`.',
        ),
      phase: z
        .enum([
          'off',
          'not-installed',
          'no-display',
          'starting',
          'waiting',
          'loading',
          'showing',
          'settings',
          'recovering',
        ])
        .describe('Current phase.'),
      glass: z
        .enum(['off', 'starting', 'address', 'sign-in', 'refused', 'away', 'trouble', 'fails', 'dashboard'])
        .describe('What the offline page of the panel says.'),
      health: z
        .enum(['unknown', 'healthy', 'slow', 'hung', 'blank', 'stale'])
        .describe('Health of the page, from its newest probes.'),
      route: z
        .enum(['wayland', 'x11', 'headless'])
        .nullable()
        .describe('What the browser draws on; null while it does not run.'),
      browser: z.string().nullable().describe('Name and major version.'),
      platform_version: z.string().nullable().describe('Version of Home Assistant, as its page says.'),
      place: z
        .enum(['dashboard', 'login', 'onboarding', 'own', 'error', 'blank', 'other'])
        .describe('Kind of page that is shown.'),
      memory_bytes: z.int().describe('Proportional set size of the whole browser; -1 while unmeasured.'),
      away: z
        .object({ since: z.int().meta(epochMs), reason: z.string().describe('Stable code.') })
        .nullable()
        .describe('Since when and why Home Assistant is not responding; null while it is.'),
      home_missing: z.boolean().describe('Whether the start page is shown because the home dashboard is not there.'),
      fallback: z
        .object({
          page: z
            .enum(['start', 'calm'])
            .describe('The default dashboard of Home Assistant, or the offline page of the panel.'),
          reason: z.enum(restartReasons).describe('Why the last attempt of home failed.'),
          since: z.int().meta(epochMs),
          retry_at: z.int().meta({
            description:
              'When home is retried automatically; later if the page is in use at that time. ' + epochMs.description,
          }),
        })
        .nullable()
        .describe('What is shown since home failed three times in a row; else null.'),
      nuisances: z.int().describe('Dialogs, stray windows and downloads that were removed.'),
      restarts: z
        .array(
          z.object({
            reason: z.enum(restartReasons).describe('Why.'),
            at: z.int().meta(epochMs),
          }),
        )
        .describe('Why a page was reloaded or the browser restarted; the newest 20.'),
      navigation: z
        .object({
          outcome: z.enum(navigationOutcomes).describe('How it ended.'),
          message: z.string().nullable().describe('Why it did not end as asked, or until when it is kept; else null.'),
          origin: z.string().describe('Who requested it: `http`, `home-assistant`, `sconce`.'),
          took_ms: z.number().describe('Milliseconds.'),
          at: z.int().meta(epochMs),
        })
        .nullable()
        .describe('The last page that was requested; null before the first.'),
      summary: z.string().describe('One sentence.'),
      action: z.string().describe('What is missing; "" if nothing is.'),
    })
    .meta({ id: 'Renderer', description: 'What shows the dashboard, and its state.' }),
);

export type RendererObject = z.infer<ReturnType<typeof RendererObject>>;

export const status = statusSection({
  reads: ['renderer', 'auto-brightness'],
  uses: ['now'],
  shape: () => ({
    renderer: RendererObject().nullable().describe('Null while its part restarts, and in an agent that only looks.'),
  }),
  view: ({ view, now, startedAt }) => {
    const snapshot = view('renderer');
    return {
      renderer:
        snapshot === undefined
          ? null
          : rendererView(shownRenderer(snapshot), { now, startedAt, room: view('auto-brightness') }),
    };
  },
});
