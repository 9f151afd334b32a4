import { manifest } from './good-manifest/index.ts';

export const subsystems = [manifest] as const;
