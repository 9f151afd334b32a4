import type { StatusDocument } from '#machines/status.ts';
import { Live } from '../parts/live.tsx';
import { Shell } from '../parts/shell.tsx';
import { Shield } from '../parts/shield.tsx';
import { type StringKey, t } from '../strings/t.ts';

const asked: readonly StringKey[] = [
  'security.asked.restart',
  'security.asked.sound',
  'security.asked.profile',
  'security.asked.storage',
  'security.asked.renderer',
  'security.asked.reset',
];
const open: readonly StringKey[] = ['security.open.look', 'security.open.operate', 'security.open.settings'];

const List = ({ keys }: { readonly keys: readonly StringKey[] }) => (
  <ul class="points">
    {keys.map((key) => (
      <li key={key}>{t(key)}</li>
    ))}
  </ul>
);

/** `/security`: who may do what on this panel, and what waits for a person in front of it. */
export const SecurityPage = ({ status }: { readonly status: StatusDocument }) => (
  <Shell status={status} page="security">
    <div class="grid security">
      <section class="card" aria-labelledby="mode-title">
        <h2 id="mode-title">{t('security.mode')}</h2>
        <Live part="security-mode" status={status} />
      </section>
      <section class="card" aria-labelledby="asking-title">
        <h2 id="asking-title">{t('security.asking')}</h2>
        <Live part="security-asking" status={status} />
      </section>
      <section class="card" aria-labelledby="asked-title">
        <div class="card-head">
          <h2 id="asked-title">{t('security.asked')}</h2>
          <Shield />
        </div>
        <p>{t('security.asked_help')}</p>
        <List keys={asked} />
        <p>{t('security.asked_always')}</p>
        <p>{t('security.refused')}</p>
      </section>
      <section class="card" aria-labelledby="open-title">
        <h2 id="open-title">{t('security.open')}</h2>
        <List keys={open} />
        <h3>{t('security.trusted')}</h3>
        <p>{t('security.trusted_text')}</p>
      </section>
    </div>
  </Shell>
);
