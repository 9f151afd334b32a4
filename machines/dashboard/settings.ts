import { z } from 'zod';
import { setting } from '../kit/fields.ts';
import { homePathField } from '../kit/home-path-field.ts';

export const dashboardSettings = z.object({
  home_dashboard: setting(homePathField(), '', {
    title: 'Home dashboard',
    help: 'The page of Home Assistant that this panel returns to; leave it empty for the start page.',
    group: 'dashboard',
    tier: 'basic',
    scope: 'device',
    placeholder: '/lovelace/hallway',
    isState: true,
  }),
});
