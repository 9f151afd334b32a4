import type { Merged } from '#machines/kit/actor.ts';
import { type StatusDocument, statusSections, statusWarnings } from '#machines/status.ts';
import type { ProjectionInput } from '#machines/subsystem.ts';
import type { subsystems } from '#machines/subsystems.ts';

type Shapes = Merged<ReturnType<Extract<(typeof subsystems)[number], { readonly status: unknown }>['status']['shape']>>;
type StatusFields = { readonly [K in keyof Shapes]: StatusDocument[K] };

/** The subsystems' fields of the status document over these facts. */
export const statusView = (input: ProjectionInput): StatusFields =>
  // Each section answers with exactly the fields of its shape, which `statusSection` checks.
  Object.assign({}, ...statusSections.map(({ view: project }) => project(input))) as StatusFields;

/** The warnings of the status document over these facts. */
export const warningsView = (input: ProjectionInput): string[] => statusWarnings.flatMap(({ lines }) => lines(input));
