import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type {
  BrowserCommand,
  BrowserFact,
  BrowserInput,
  StartInput,
  RendererPackage,
} from '#machines/renderer/events.ts';

type BrowserLogic = DriverLogic<BrowserCommand, BrowserInput, BrowserFact>;

/** One logic that runs the driver of the program named in its input. */
export function byProgram(
  drivers: Readonly<Record<RendererPackage, BrowserLogic>>,
): DriverLogic<BrowserCommand, StartInput, BrowserFact> {
  const chosen = new WeakMap<object, BrowserLogic>();
  const of = (self: object): BrowserLogic => chosen.get(self) ?? drivers.builtin;
  return {
    getInitialSnapshot: (scope, input) => {
      const driver = drivers[input.program];
      chosen.set(scope.self, driver);
      return driver.getInitialSnapshot(scope, input);
    },
    start: (snapshot, scope) => of(scope.self).start?.(snapshot, scope),
    transition: (snapshot, event, scope) => of(scope.self).transition(snapshot, event, scope),
    getPersistedSnapshot: (snapshot) => snapshot,
  };
}
