import { createHash } from 'node:crypto';

import { respond } from '#drivers/companion/noise.ts';
import { agree, beginPairing, commitOf } from '#drivers/companion/pairing.ts';
import { prologueOf } from '#drivers/companion/prologue.ts';
import { sealedBy } from '#drivers/companion/sealed.ts';
import { keyPairOf } from '#drivers/companion/x25519.ts';
import { channels, PROLOGUE } from '#machines/companion/wire.ts';
import { initiate } from '#test/fakes/noise-initiator.ts';

/** Bytes that everybody can make: SHA-256 of a label. */
const fixed = (label: string): Buffer => createHash('sha256').update(label).digest();

const client = {
  id: fixed('client').toString('hex', 0, 16),
  name: 'Home – Haus',
  version: '2026.11.0',
  integration: '0.1.0',
};
const panelGreeting = JSON.stringify({
  type: 'hello',
  protocol: 1,
  id: 'hall',
  name: 'Hall',
  model: 'Simulated panel',
});
const greetingOf = (keyId?: string): string =>
  JSON.stringify({ type: 'hello', protocol: [1, 1], client, ...(keyId !== undefined && { key_id: keyId }) });
const between = (greeting: string): Buffer => prologueOf(PROLOGUE, [Buffer.from(greeting), Buffer.from(panelGreeting)]);

function pairing() {
  const greeting = greetingOf();
  const prologue = between(greeting);
  const [panelPrivate, clientPrivate] = [fixed('panel pairing key'), fixed('client pairing key')];
  const [panelNonce, clientNonce] = ['panel nonce', 'client nonce'].map((label) => fixed(label).subarray(0, 16));
  if (panelNonce === undefined || clientNonce === undefined) throw new Error('no nonce');
  const own = keyPairOf(clientPrivate);
  const shown = { key: own.publicKey, nonce: clientNonce };
  const commit = commitOf(shown);
  const panel = beginPairing(prologue, commit, keyPairOf(panelPrivate), panelNonce);
  const agreed = panel.reveal(shown);
  const secret = own.shareWith(panel.shown.key);
  if (agreed === null || secret === null) throw new Error('refused');
  if (agree(prologue, secret, panel.shown, shown).key !== agreed.key) throw new Error('the two ends differ');
  return {
    client_greeting: greeting,
    panel_greeting: panelGreeting,
    prologue: prologue.toString('hex'),
    client_private_key: clientPrivate.toString('hex'),
    client_public_key: own.publicKey.toString('hex'),
    client_nonce: clientNonce.toString('hex'),
    commit: commit.toString('hex'),
    panel_private_key: panelPrivate.toString('hex'),
    panel_public_key: Buffer.from(panel.shown.key).toString('hex'),
    panel_nonce: panelNonce.toString('hex'),
    secret: secret.toString('hex'),
    transcript: createHash('sha256')
      .update(prologue)
      .update(panel.shown.key)
      .update(panelNonce)
      .update(own.publicKey)
      .update(clientNonce)
      .digest('hex'),
    digits: agreed.digits,
    key: agreed.key,
    key_id: agreed.keyId,
  };
}

function session(keyId: string, key: string) {
  const greeting = greetingOf(keyId);
  const prologue = between(greeting);
  const known = { psk: Buffer.from(key, 'hex'), prologue };
  const [panelPrivate, clientPrivate] = [fixed('panel ephemeral'), fixed('client ephemeral')];
  const home = initiate({ ...known, ephemeral: keyPairOf(clientPrivate) });
  const panel = respond({ ...known, ephemeral: keyPairOf(panelPrivate) }, home.message);
  const finished = panel === null ? null : home.finish(panel.message);
  if (panel === null || finished === null) throw new Error('refused');
  const frames = (sealed: ReturnType<typeof sealedBy>, messages: readonly object[]) =>
    messages.map((message) => {
      const text = JSON.stringify(message);
      return { channel: channels.json, text, frame: sealed.seal(channels.json, Buffer.from(text)).toString('hex') };
    });
  return {
    client_greeting: greeting,
    panel_greeting: panelGreeting,
    prologue: prologue.toString('hex'),
    key_id: keyId,
    psk: key,
    client_ephemeral: clientPrivate.toString('hex'),
    panel_ephemeral: panelPrivate.toString('hex'),
    first_message: home.message.toString('hex'),
    second_message: panel.message.toString('hex'),
    handshake_hash: panel.transport.hash.toString('hex'),
    from_client: frames(sealedBy(finished.transport), [
      { type: 'phase', phase: 'running' },
      { type: 'set', id: 1, k: 'screen', v: { on: true, brightness: 128 }, deadline: 8000 },
      { type: 'phase', phase: 'stopping', reason: 'restart' },
    ]),
    from_panel: frames(sealedBy(panel.transport), [
      { type: 'state', k: 'temperature', available: true, v: 21.5 },
      { type: 'synced' },
      { type: 'result', id: 1, ok: false, code: 'no-place', message: 'Nichts für 25 °C.' },
    ]),
  };
}

/** Known answers for both ends: all inputs are fixed, keys and frames are in hexadecimal digits. */
export function makeVectors() {
  const paired = pairing();
  return {
    protocol: 'Noise_NNpsk0_25519_ChaChaPoly_SHA256',
    prologue_name: PROLOGUE,
    pairing: paired,
    session: session(paired.key_id, paired.key),
  };
}
