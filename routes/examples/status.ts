import type { z } from 'zod';
import { type StatusDocument, statusExamples, updateNotice } from '#machines/status.ts';
import type { Given } from '#routes/kit/answer.ts';

const started = 1_795_352_177_000;
const taken = started + 3_600_000;

/** A Linux panel that shows its dashboard; of its capabilities, lights, relays and parts it shows one or two. */
export const statusExample: Given<z.input<ReturnType<typeof StatusDocument>>> = {
  state: 'working',
  sentence: 'Everything works.',
  next: null,
  inspecting: false,
  warnings: [],
  capabilities: [
    {
      id: 'screen',
      title: 'Screen',
      state: 'working',
      reason: 'display-found',
      detail: 'The screen can be dimmed and switched off.',
      missing: null,
      fix: null,
      name: 'Screen',
      note: 'The screen can be dimmed and switched off.',
      color: '#48c774',
    },
  ],
  ...statusExamples,
  ...updateNotice,
  happened: [{ at: taken - 60_000, sentence: 'The screen was turned on by Home Assistant.', times: 1 }],
  supervision: {
    id: 'root',
    kind: 'group',
    phase: 'running',
    restarts: 0,
    reason: null,
    since: started,
    children: [
      { id: 'screen', kind: 'worker', phase: 'running', restarts: 0, reason: null, since: started, children: [] },
    ],
  },
  taken_at: taken,
};

/** Diagnostics; a few of their lines. */
export const diagExample = `Sconce 0.1.0
[captured] 2026-11-22T13:56:17.000Z uptime=1h0m
[package] sconce build=abcdef01
[database] document_bytes=900 loaded_from=current commits=3 last_failure=none
[hardware] ram=4g cpus=4 clock_mhz=1800 virtual=none container=none
[ha-network] state=idle measuring=false ha_net=none ha_resp=none probes=0 misses=0 server_failures=0 auth_failures=0 p95_ms=-1
[screen] state=working reason=display-found lit=true brightness=204 raw_max=255 power=true
[capabilities] screen=ok | volume=ok | camera=none
[supervision]
  root phase=running restarts=0 reason=none
    base phase=running restarts=0 reason=none
`;
