import { manifest } from '../good-manifest/index.ts';

export const name = manifest.name;
