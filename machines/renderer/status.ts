import { z } from 'zod';
import { statusSection } from '../subsystem.ts';
import { projectRenderer } from './project.ts';

/** The renderer object of the contract (named as panel-assistant's where its names fit): never an address or a path. */
export const RendererObject = z
  .object({
    mode: z.enum(['builtin', 'external', 'none']),
    state: z
      .enum(['rendered', 'admitted', 'checking', 'blocked', 'unobserved'])
      .meta({ description: 'Drawn, on its way, being looked at, held up by something, or not seen.' }),
    outcome: z.enum([
      'ok',
      'unobserved',
      'transport_failed',
      'credential_refused',
      'sign_in_required',
      'bridge_unavailable',
    ]),
    fault: z
      .enum(['none', 'tls_trust', 'dns', 'timeout', 'refused', 'unreachable', 'http_status', 'unknown'])
      .meta({ description: 'Why Home Assistant is away.' }),
    recovery: z
      .enum(['none', 'from_base', 'at_ceiling', 'manual_only'])
      .meta({ description: 'Whether it is being brought back: at once, slowed down, or by a person alone.' }),
    transport: z.enum(['https', 'http', 'unknown']),
    rendered: z.boolean(),
    theme_policy: z.enum(['follow', 'dark', 'light']),
    phase: z.enum([
      'off',
      'not-installed',
      'no-display',
      'starting',
      'waiting',
      'loading',
      'showing',
      'settings',
      'recovering',
    ]),
    glass: z
      .enum(['off', 'starting', 'address', 'sign-in', 'refused', 'away', 'trouble', 'dashboard'])
      .meta({ description: 'What the calm page of the panel says.' }),
    health: z.enum(['unknown', 'healthy', 'slow', 'hung', 'blank', 'stale']),
    route: z.enum(['wayland', 'x11', 'headless']).nullable(),
    browser: z.string().nullable(),
    platform_version: z.string().nullable(),
    place: z.enum(['dashboard', 'login', 'onboarding', 'own', 'error', 'blank', 'other']),
    memory_bytes: z
      .number()
      .int()
      .meta({ description: 'Proportional set size of the whole browser; -1 while unmeasured.' }),
    away: z.object({ since: z.number().int(), reason: z.string() }).nullable(),
    home_missing: z.boolean(),
    nuisances: z.number().int().meta({ description: 'Dialogs, stray windows and downloads that were removed.' }),
    restarts: z
      .array(z.object({ reason: z.string(), at: z.number().int() }))
      .meta({ description: 'Why a page or browser was loaded anew; the newest 20.' }),
    navigation: z
      .object({
        outcome: z.string(),
        message: z.string().nullable(),
        origin: z.string(),
        took_ms: z.number(),
        at: z.number().int(),
      })
      .nullable(),
    summary: z.string(),
    action: z.string(),
  })
  .meta({ id: 'Renderer', description: 'What shows the dashboard, and how it is.' });

/** The renderer as the status shows it. */
export type RendererObject = z.infer<typeof RendererObject>;

/** The renderer's field of the status document. */
export const status = statusSection({
  reads: ['renderer'],
  shape: {
    renderer: RendererObject.nullable().meta({
      description: 'Null while its part restarts, and in an agent that only looks.',
    }),
  },
  project: ({ read }) => {
    const renderer = read('renderer');
    return { renderer: renderer === undefined ? null : projectRenderer(renderer) };
  },
});
