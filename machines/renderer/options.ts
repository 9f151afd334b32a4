import type { RendererMode, RendererPackage } from './events.ts';

/** The words of `--renderer`. */
export const rendererModes: readonly RendererMode[] = ['auto', 'headless', 'none'];

/** Programs other than the built-in renderer that a compiled driver can start. */
export const foreignPackages = ['firefox'] as const satisfies readonly RendererPackage[];

/** The program that a value of `dashboard_package` stands for. */
export const packageOf = (value: unknown): RendererPackage =>
  foreignPackages.find((name) => name === value) ?? 'builtin';

/**
 * The mode in force: what was asked for; else nothing is started for a simulated panel, and a display is searched for
 * on a real one.
 */
export const modeOf = (asked: RendererMode | null, simulated: boolean): RendererMode =>
  asked ?? (simulated ? 'none' : 'auto');
