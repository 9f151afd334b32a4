export { thing } from '#actors/target/thing.ts';
