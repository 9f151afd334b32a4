import type { ScreenDeps } from '#actors/screen.ts';
import { screenMemory } from '#actors/screen-memory.ts';
import { settingFollower } from '#actors/setting-follower.ts';
import { settingsWriter, type WriterDeps } from '#actors/settings/writer.ts';
import { storeSpec } from '#actors/store.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { placeholder } from '#machines/kit/placeholder.ts';
import type { ScreenMemoryCommand, ScreenMemoryFact } from '#machines/screen/events.ts';
import { screenMachine } from '#machines/screen/machine.ts';
import type { WriterCommand, WriterFact } from '#machines/settings/events.ts';
import { settingsMachine } from '#machines/settings/machine.ts';
import type { DocumentCommand, DocumentFact } from '#machines/store/events.ts';
import { storeMachine } from '#machines/store/machine.ts';

type Nowhere = { readonly type: 'no.such.fact' };
type Folder = { readonly folder: string };

// The document of the store.
const document = fromDriver<DocumentCommand, Folder, DocumentFact>(() => {});
const strayDocument = fromDriver<DocumentCommand, Folder, Nowhere>(() => {});
const wideDocument = fromDriver<DocumentCommand, Folder, DocumentFact | Nowhere>(() => {});
export const kept = storeMachine.provide({ actors: { document } });
export const keptStray = storeMachine.provide({ actors: { document: strayDocument } }); // refused: no such fact
export const keptWide = storeMachine.provide({ actors: { document: wideDocument } }); // refused: one fact too many
export const wired = storeSpec({ folder: '/', document });
export const wiredStray = storeSpec({ folder: '/', document: strayDocument }); // refused: no such fact

// The writer of the settings.
export const written = (deps: WriterDeps) => settingsMachine.provide({ actors: { writer: settingsWriter(deps) } });
const strayWriter = fromDriver<WriterCommand, undefined, Nowhere>(() => {});
export const writtenStray = settingsMachine.provide({ actors: { writer: strayWriter } }); // refused: no such fact
const askingWriter = fromDriver<WriterCommand, undefined, WriterFact | { readonly type: 'settings.stop' }>(() => {});
export const writtenAsking = settingsMachine.provide({ actors: { writer: askingWriter } }); // refused: an event, and no fact of its

// The memory of a screen, and the follower of its limits.
type Registry = ScreenDeps['registry'];
const memory = fromDriver<ScreenMemoryCommand, undefined, ScreenMemoryFact>(() => {});
export const recalled = screenMachine.provide({ actors: { memory } });
export const recalledTruly = (registry: Registry) => screenMachine.provide({ actors: { memory: screenMemory(registry, 'panel') } });
const strayMemory = fromDriver<ScreenMemoryCommand, undefined, Nowhere>(() => {});
export const recalledStray = screenMachine.provide({ actors: { memory: strayMemory } }); // refused: no such fact
export const limits = (registry: Registry) => {
  const stray = settingFollower(registry, 'volume_limit_percent', () => ({ type: 'volume.limits', limitPercent: 1 }) as const);
  return screenMachine.provide({ actors: { limits: stray } }); // refused: the limits of another machine
};

placeholder<ScreenMemoryCommand>(); // refused: it does not say what is reported
placeholder<ScreenMemoryCommand, undefined>(); // refused: it does not say what is reported
