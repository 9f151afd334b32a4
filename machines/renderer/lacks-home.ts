import type { RendererFacts } from './facts.ts';

/** True if Home Assistant does not have the home dashboard, by its list or because it opened another page. */
export const lacksHome = ({
  homeMissing,
  isHomeListed,
}: Pick<RendererFacts, 'homeMissing' | 'isHomeListed'>): boolean => homeMissing || isHomeListed === false;
