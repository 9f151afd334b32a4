import { statusSections, type StatusFields, statusWarnings } from '#machines/status.ts';
import type { ProjectionInput } from '#machines/subsystem.ts';

/** The subsystems' fields of the status document over these facts. */
export const projectStatus = (input: ProjectionInput): StatusFields =>
  // Each section answers with exactly the fields of its shape, which `statusSection` checks.
  Object.assign({}, ...statusSections.map(({ project }) => project(input))) as StatusFields;

/** The warnings of the status document over these facts. */
export const projectWarnings = (input: ProjectionInput): string[] =>
  statusWarnings.flatMap(({ lines }) => lines(input));
