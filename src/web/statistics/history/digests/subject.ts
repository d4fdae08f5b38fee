import type { NodeKey } from '../../../../contract/permissions.ts';
import type { VisitDigest } from '../../../../contract/visits/visit-digest.ts';

/** What is sent, and from which screen. */
export type Subject = { screen: NodeKey; question: VisitDigest['question'] };
