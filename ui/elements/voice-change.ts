import { t } from '../strings/t.ts';
import { announce } from './announce.ts';
import { note, noteOf } from './note.ts';
import { type Sent, send, whyNot } from './send.ts';

/** Requests of the verbs that only post, and what is said once they are accepted. */
const paths: Readonly<Record<string, string>> = {
  ask: '/api/v1/voice/permission',
  test: '/api/v1/voice/test',
  check: '/api/v1/voice/microphone',
  cancel: '/api/v1/voice/cancel',
};

/** Saves settings of voice, and says beside the control if that was refused. */
export async function saveVoice(control: HTMLElement, settings: Readonly<Record<string, unknown>>): Promise<Sent> {
  const beside = { line: () => noteOf(control), button: control };
  const sent = await send('/api/v1/config', settings, { beside });
  note(noteOf(control), sent.ok ? '' : whyNot(sent), !sent.ok);
  return sent;
}

/** Carries out the verb of a button. */
export async function changeVoice(button: HTMLElement): Promise<void> {
  const { voice: verb = '' } = button.dataset;
  const path = paths[verb];
  if (path === undefined) {
    const isOn = verb === 'on';
    const sent = await saveVoice(button, { voice_enabled: isOn });
    if (sent.ok) announce(t(isOn ? 'controls.on' : 'controls.off'));
    return;
  }
  // Read before the request, since the button may be gone after it.
  const line = noteOf(button);
  const sent = await send(path, {});
  note(line, sent.ok ? '' : whyNot(sent), !sent.ok);
  if (sent.ok && verb === 'ask') announce(t('voice.asked'));
}
