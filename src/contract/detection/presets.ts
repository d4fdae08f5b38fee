// not messages: what other people's APIs answer.
import type { DetectorConfig } from './detectors.ts';

type ApiConfig = Extract<DetectorConfig, { kind: 'http_api' }>;
/** Common shapes of commercial detection APIs: what a form is filled with, whose address and key its user replaces. */
export type DetectorPreset = { key: string; config: ApiConfig };

const api = (key: string, url: string, reading: ApiConfig['reading'], further: Partial<ApiConfig> = {}): DetectorPreset => ({
  key,
  config: { kind: 'http_api', url, method: 'GET', headers: [], body: '', reading, ...further },
});

/** By key; the names are texts of the screen. */
export const detectorPresets: readonly DetectorPreset[] = [
  /** `{"data":{"status":"ok"}}`, `{"data":{"status":"blocked"}}` */
  api('data_status', 'https://api.example.com/check?key={key}&url={url}', {
    by: 'json',
    path: 'data.status',
    normal: ['ok'],
    blocked: ['blocked'],
  }),
  /** `{"code":2000}` is blocked, `{"code":200}` normal. */
  api('code_2000', 'https://api.example.com/wechat?token={key}&domain={domain}', {
    by: 'json',
    path: 'code',
    normal: ['200'],
    blocked: ['2000'],
  }),
  /** `{"err_code":0}` normal, 30001 and 30002 blocked; 30998 and whatever else says that the API could not tell. */
  api('err_code', 'https://api.example.com/v1/check?apikey={key}&url={url}', {
    by: 'json',
    path: 'err_code',
    normal: ['0'],
    blocked: ['30001', '30002'],
  }),
  /** `{"result":{"blocked":false}}`, asked by POST with a key in a header. */
  api(
    'post_flag',
    'https://api.example.com/check',
    { by: 'json', path: 'result.blocked', normal: ['false'], blocked: ['true'] },
    { method: 'POST', headers: [{ name: 'authorization', value: 'Bearer {key}' }], body: '{"url":"{url}"}' },
  ),
  /** A page that redirects to the messenger's own block page. */
  api('redirect', 'https://api.example.com/go?url={url}', { by: 'redirect', normal: ['{domain}'], blocked: ['weixin110.qq.com'] }),
  /** Words in a page. */
  api('text', 'https://api.example.com/query?url={url}', { by: 'text', normal: ['未拦截'], blocked: ['已拦截'] }),
];
