import { type Condition, holds } from '../parts/condition.ts';
import { onStatus } from './stream.ts';

/**
 * Keeps conditional elements in step with the panel, since another profile can change what exists. A page that no
 * longer exists redirects to the first page.
 */
export const startConditions = (): void =>
  onStatus(
    (status) => {
      // While the profile's part is down the panel's profile is unknown; that part restarts immediately.
      if (status.panel.profile.id === '') return;
      for (const element of document.querySelectorAll<HTMLElement>('[data-while]')) {
        // The components of these pages write this attribute.
        const there = holds(element.dataset['while'] as Condition, status);
        element.hidden = !there;
        if (!there && element.querySelector('[aria-current="page"]') !== null) window.location.replace('/');
      }
    },
    ['panel'],
  );
