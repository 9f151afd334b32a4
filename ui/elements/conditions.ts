import { type Condition, holds } from '../parts/condition.ts';
import { onStatus } from './stream.ts';

/**
 * Keeps what is there only under a condition in step with the panel: another profile is another panel under the same
 * page. A page that is no more gives way to the first one.
 */
export const startConditions = (): void =>
  onStatus((status) => {
    // Without its profile's part the panel cannot say what it is; that part is back at once.
    if (status.panel.profile.id === '') return;
    for (const element of Array.from(document.querySelectorAll<HTMLElement>('[data-while]'))) {
      // Written by the components of these pages.
      const there = holds(element.dataset['while'] as Condition, status);
      element.hidden = !there;
      if (!there && element.querySelector('[aria-current="page"]') !== null) window.location.replace('/');
    }
  });
