import type { OutputOf } from '../../../contract/kit/call.ts';
import type { ipBlack } from '../../../contract/system/ip-black.ts';
import { LineResults, type LineWords } from '../../kit/feedback/LineResults.tsx';

export type AddedLines = OutputOf<(typeof ipBlack)['calls']['add']>;

const kinds = {
  added: 'success',
  updated: 'info',
  repeated: 'neutral',
  invalid: 'error',
  own_address: 'warning',
  loopback: 'warning',
} as const;

const words: LineWords = {
  title: 'ip_black.results',
  summary: 'ip_black.results_summary',
  line: 'ip_black.line',
  result: 'ip_black.result',
  state: (state) => `ip_black.line_${state}`,
};

/** What became of the lines that were not simply added. */
export const IpBlackLines = (props: { added: AddedLines; onClose: () => void }) => <LineResults {...props} kinds={kinds} words={words} />;
