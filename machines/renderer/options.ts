import type { RendererMode, RendererPackage } from './events.ts';

/** Values of `--renderer`. */
export const rendererModes: readonly RendererMode[] = ['auto', 'headless', 'none'];

/** Programs other than the built-in renderer that have a driver here. */
export const foreignPackages = ['firefox'] as const satisfies readonly RendererPackage[];

/** The program that a value of `dashboard_package` selects. */
export const packageOf = (value: unknown): RendererPackage =>
  foreignPackages.find((name) => name === value) ?? 'builtin';

/** The effective mode: the one requested, else `none` for a simulated panel and `auto` for a real one. */
export const modeOf = (asked: RendererMode | null, simulated: boolean): RendererMode =>
  asked ?? (simulated ? 'none' : 'auto');
