import { createContext, useContext } from 'react';
import type { Target } from '../../../contract/codes/live-code.ts';

const LiveTargets = createContext<ReadonlyMap<number, Target>>(new Map());

/** Hands the targets as the server counts them now, by id, to whatever shows them. */
export const LiveTargetsProvider = LiveTargets.Provider;
export const useLiveTargets = (): ReadonlyMap<number, Target> => useContext(LiveTargets);
