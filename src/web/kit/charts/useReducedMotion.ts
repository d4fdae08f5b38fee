import { useMedia } from '../look/media.ts';

/** Whether the user asked for less motion; charts then stand still. */
export const useReducedMotion = (): boolean => useMedia('(prefers-reduced-motion: reduce)');
