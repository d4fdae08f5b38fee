import type { codeImport } from '../../../contract/code-import.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';

/** What an import would do, as the dry run tells. */
export type Checked = OutputOf<(typeof codeImport)['calls']['check']>;
