import type { Registry } from '#actors/kit/registry.ts';
import type { SettingsContext } from '#machines/settings/events.ts';

/** Each way in which a caller may get an actor wrong. */
export const callWrong = async (registry: Registry): Promise<void> => {
  // An id that no actor has.
  registry.read('screen_9'); // refused: no such id
  registry.tell('screens', { type: 'screen.probe' }); // refused: no such id
  registry.follow('sesttings', (snapshot) => snapshot, () => {}); // refused: no such id

  // An event that this actor does not understand, though another one does.
  registry.tell('volume', { type: 'screen.probe' }); // refused: an event of another actor
  registry.tell('stream', { type: 'stream.joined' }); // refused: no such event
  // What an actor's own driver reports is nobody else's to say.
  registry.tell('storage-health', { type: 'storage.inspected' }); // refused: no such event from outside
  const named: { readonly type: string } = { type: 'stream.touched' };
  registry.tell('stream', named); // refused: an event without a name of its own

  // A field that is missing, has another type or does not exist.
  registry.tell('screen', { type: 'screen.set', on: true }); // refused: who asked is missing
  registry.tell('volume', { type: 'volume.set', percent: '50', origin: 'http' }); // refused: not a number
  registry.tell('screen', { type: 'screen.set', bright: 1, origin: 'http' }); // refused: no such field
  await registry.ask('store', { type: 'store.read' }, 100); // refused: the section is missing

  // A question has an answer, which `tell` would lose; a command has none.
  registry.tell('store', { type: 'store.read', section: 'settings' }); // refused: a question that is told
  registry.tell('store', { type: 'store.read', requestId: '1', section: 'settings' }); // refused: a question that is told
  await registry.ask('screen', { type: 'screen.probe' }, 100); // refused: a command that is asked
  await registry.ask('renderer', { type: 'renderer.home', origin: 'http' }, 100); // refused: a command that is asked

  // The answer belongs to the question.
  const shot = await registry.ask('renderer', { type: 'renderer.screenshot' }, 100);
  const merged: { readonly status: string } | null = shot.ok ? shot.value : null; // refused: the answer of another question
  const read = await registry.ask('store', { type: 'store.read', section: 'settings' }, 100);
  const level: number = read.ok && read.value.ok ? read.value.value : 0; // refused: what was stored is unknown
  const deleted = await registry.ask(
    'profile-catalog',
    { type: 'profiles.ask.preview', ask: { kind: 'rollback', expected: 1 } }, // refused: the question of another name
    100,
  );

  // What is heard is what the actor emits.
  registry.listen('publisher', 'broker.said', () => {}); // refused: no such emitted event
  registry.listen('screen', 'homeAssistant.said', () => {}); // refused: emitted by another actor
  registry.listen('publisher', 'homeAssistant.said', ({ text }) => text); // refused: no such field

  // Facts are those that the actor shows.
  const secret = registry.read('settings')?.context.password; // refused: no public fact
  const lit: string | undefined = registry.read('screen')?.context.lit; // refused: of another type
  const port = registry.read('http').context.port; // refused: it may be absent
  registry.follow('http', (snapshot) => snapshot?.context.brightness, () => {}); // refused: a fact of another actor
  const settings: SettingsContext | undefined = registry.read('identity')?.context; // refused: the facts of another actor

  await Promise.all([merged, level, deleted, secret, lit, port, settings]);
};
