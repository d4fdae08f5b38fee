import type { VisitRecord } from '../visits/journal/record.ts';

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.48(0x18003030) NetType/WIFI Language/zh_CN';

/** A visit that passed, with what differs. */
export const visitOf = (change: Partial<VisitRecord> = {}): VisitRecord => ({
  at: Date.now(),
  live_code_id: 1,
  short_code_id: 0,
  target_id: 0,
  forward_id: 0,
  lease_id: 0,
  proof_failure: 0,
  outcome: 0,
  open_log: true,
  host: 'qr.example.com',
  path: '/abcd',
  referer: '',
  language: 'zh-CN',
  user_agent: phone,
  ip: '114.114.114.114',
  note: '',
  ...change,
});
