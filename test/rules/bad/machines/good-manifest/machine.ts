import { settings } from '../settings.ts';
import { manifest } from './index.ts';

export const machine = () => [manifest.name, ...settings];
