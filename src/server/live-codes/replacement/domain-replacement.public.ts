export { replacePortion, type Writer } from './domain-replacement.codes.ts';
export { moveForwards } from './domain-replacement.forwards.ts';
export { codesOf, isFree, type Pair } from './domain-replacement.rules.ts';
export { beginReplacement, effectOf, endReplacement, undo } from './domain-replacement.service.ts';
