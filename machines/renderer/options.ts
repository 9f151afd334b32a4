/** What `--renderer` asks for: a display found by trying, a browser that nobody sees, or none. */
export const rendererModes = ['auto', 'headless', 'none'] as const;

/** One word of `--renderer`. */
export type RendererMode = (typeof rendererModes)[number];

/** Programs other than the built-in renderer that a compiled driver can start. */
export const foreignPackages = ['firefox'] as const;

/** Name of such a program, as `dashboard_package` spells it. */
export type ForeignPackage = (typeof foreignPackages)[number];

/** What shows the dashboard. */
export type RendererPackage = 'builtin' | ForeignPackage;

/** The program that a value of `dashboard_package` stands for; "" is the built-in one. */
export const packageOf = (value: unknown): RendererPackage => foreignPackages.find((name) => name === value) ?? 'builtin';

/** The mode in force: what was asked for; else nothing is started for a simulated panel, and a display is looked for on a real one. */
export const modeOf = (asked: RendererMode | null, simulated: boolean): RendererMode => asked ?? (simulated ? 'none' : 'auto');
