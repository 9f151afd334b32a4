export { thing } from '../../ui/target/thing.ts';
