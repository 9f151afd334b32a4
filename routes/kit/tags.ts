/** The groups of operations in the OpenAPI document, in the order in which they are listed. */
export const tags = {
  status: 'How the panel is: health, status, diagnostics, history, logs.',
  panel: 'What the panel does and measures: actions, announcements, pictures, sensors, radios.',
  configuration: 'Settings: reading, changing, and what there is to set.',
  dashboard: 'The dashboard: which entities of Home Assistant it is sent.',
  'sign-in': 'Signing the panel in to Home Assistant; no token is ever answered.',
  profiles: 'Which hardware the panel has and which drivers it uses: catalogue, previews, activation, plan.',
  proximity: 'The proximity sensor and its guided calibration.',
  camera: 'The camera object.',
  api: 'This document.',
  simulator: 'The hardware of the simulated panel; not there on real hardware.',
  inspector: 'The agent from inside; only there with `--inspect`.',
} as const;

/** Marks that an operation has beside its group, in the document as further groups after it. */
export const marks = {
  developer: 'Tools for those who work on Sconce or on a profile. A client of a panel needs none of them.',
  deprecated: 'Older names of operations, and operations that are gone. A new client uses none of them.',
} as const;

/** The group of an operation. */
export type Tag = keyof typeof tags;
