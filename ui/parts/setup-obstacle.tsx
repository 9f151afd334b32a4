import { t } from '../strings/t.ts';
import { Icon } from './icon.tsx';
import type { Sections } from './sections.ts';

/** What keeps every dashboard from the screen, whatever else is done. */
const obstacles = ['no-display', 'browser-not-installed'] as const;

/** Names such an obstacle above the steps: it would be found last. The script hides it once the screen is found. */
export function Obstacle({ status }: { readonly status: Sections<'capabilities'> }) {
  const { reason } = status.capabilities.find(({ id }) => id === 'dashboard') ?? {};
  const obstacle = obstacles.find((one) => one === reason);
  return obstacle === undefined ? null : (
    <p class="refusal" data-obstacle>
      <Icon name="mdi:alert" />
      <span>
        {t(`setup.first.${obstacle}`)}{' '}
        <a href="#step-renderer" data-go="renderer">
          {t('setup.first_see')}
        </a>
      </span>
    </p>
  );
}
