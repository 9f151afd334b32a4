export { thing } from '#drivers/target/thing.ts';
