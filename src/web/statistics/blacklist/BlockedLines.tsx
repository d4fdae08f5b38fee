import type { OutputOf } from '../../../contract/kit/call.ts';
import type { serverIpBlack } from '../../../contract/visits/server-ip-black.ts';
import { LineResults, type LineWords } from '../../kit/feedback/LineResults.tsx';

export type AddedLines = OutputOf<(typeof serverIpBlack)['calls']['add']>;

const kinds = { added: 'success', updated: 'info', repeated: 'neutral', invalid: 'error', loopback: 'warning', proxy: 'warning' } as const;

const words: LineWords = {
  title: 'server_ip_black.results',
  summary: 'server_ip_black.results_summary',
  line: 'server_ip_black.line',
  result: 'server_ip_black.result',
  state: (state) => `server_ip_black.line_${state}`,
};

/** What became of the lines that were not simply added. */
export const BlockedLines = (props: { added: AddedLines; onClose: () => void }) => <LineResults {...props} kinds={kinds} words={words} />;
