import { describe, expect, test } from 'vitest';
import { type LiveCodeDetails, liveCodeDetails } from '../../../contract/codes/live-code.ts';
import { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import { wireValues } from '../../kit/form/contract.ts';
import { type CodeValues, codeValues, copiedValues, copyTarget, newCodeValues, newTarget, toCodeInput } from './values.ts';

const { add, update } = qrCodeList.calls;

const code: LiveCodeDetails = liveCodeDetails.parse({
  id: 7,
  file_name: 'spring',
  name: '春季读书会',
  remark: '',
  owner_id: 2,
  owner_account: 'zhang',
  entry_domain_id: 3,
  landing_domain_id: null,
  entry_host: 'a.example.com',
  entry_host_unicode: null,
  landing_host: null,
  landing_host_unicode: null,
  entry_block_status: 1,
  entry_suspected_since: null,
  forward_path: null,
  forwarded_alias: null,
  landing_block_status: null,
  landing_suspected_since: null,
  open: true,
  rotation_mode: 2,
  jump_type: 4,
  access_mode: 1,
  restriction_visit: 2,
  open_log: false,
  aliases: [],
  log_days: 30,
  fallback_url: null,
  page_title: '',
  page_text: '第一行\n第二行',
  page_style: 'brand',
  page_color: null,
  expires_at: '2030-01-01T00:00:00.000Z',
  has_password: true,
  qr_design: null,
  frozen: null,
  frozen_at: null,
  frozen_reason: '',
  over_quota: null,
  removed: false,
  removed_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  version: 5,
  url: 'https://a.example.com/spring',
  qr_image_url: 'https://go.example.com/qr/spring.png',
  share_url: '/#/share_access?name=spring',
  short_url: null,
  view_number: 9,
  ip_view_number: 8,
  today_view_number: 1,
  today_ip_view_number: 1,
  target_count: 2,
  remaining: null,
  same_target: true,
  group_id: 4,
  js_config_ids: [8],
  group: { id: 4, name: '门店', color: '#0f766e' },
  removed_by_account: null,
  target_expiring_at: null,
  domains: [],
  targets: [
    {
      id: 11,
      kind: 'picture',
      content: '42',
      picture_url: '/file/a.png',
      any_picture: true,
      qr_kind: 'none',
      qr_text: null,
      name: '一群',
      sort: 0,
      weight: 3,
      threshold: 200,
      remaining: 12,
      refill_hour: 8,
      enabled: true,
      expires_at: null,
      rules: [{ regions: ['浙江'], hours: [9, 10] }],
      view_number: 188,
      press_number: 20,
    },
    {
      id: 12,
      kind: 'url',
      content: 'https://example.com',
      picture_url: null,
      any_picture: false,
      qr_kind: null,
      qr_text: null,
      name: '',
      sort: 1,
      weight: 1,
      threshold: null,
      remaining: null,
      refill_hour: null,
      enabled: false,
      expires_at: '2031-01-01T00:00:00.000Z',
      rules: null,
      view_number: 0,
      press_number: 0,
    },
  ],
});

/** As the form does it: the kit's translation of empty fields first, then the editor's. */
const sent = (values: CodeValues, initial: CodeValues, existing?: { id: number; version: number }) =>
  toCodeInput(wireValues(existing ? update : add, values, initial), existing);

describe('a code that is made', () => {
  test('leaves to the server what was left alone', () => {
    const initial = newCodeValues();
    const input = sent({ ...initial, name: '一', targets: [{ ...newTarget(), content: 'https://example.com' }] }, initial);
    expect(add.input.safeParse(input).error).toBeUndefined();
    for (const absent of ['file_name', 'entry_domain_id', 'landing_domain_id', 'password', 'removes_password', 'id', 'version'])
      expect(input).not.toHaveProperty(absent);
  });

  test('needs a target and nothing else, and an address is sent with its scheme', () => {
    const initial = newCodeValues();
    const typed = sent({ ...initial, targets: [{ ...newTarget(), content: ' example.com/a' }] }, initial);
    expect(add.input.parse(typed)).toMatchObject({ targets: [{ content: 'https://example.com/a' }] });
    const paths = add.input.safeParse(sent(initial, initial)).error?.issues.map((issue) => issue.path.join('.'));
    expect(paths).toEqual(['targets.0.content']);
  });

  test('takes "no domain" as null and a chosen one by its id', () => {
    const initial = newCodeValues();
    expect(sent({ ...initial, entry_domain_id: 9, landing_domain_id: 'none' }, initial)).toMatchObject({
      entry_domain_id: 9,
      landing_domain_id: null,
    });
  });
});

describe('a code that is changed', () => {
  test('goes back to the server unchanged when nothing was changed', () => {
    const values = codeValues(code);
    const input = sent(values, values, code);
    const parsed = update.input.parse(input);
    expect(parsed).toMatchObject({
      id: 7,
      version: 5,
      file_name: 'spring',
      fallback_url: null,
      page_color: null,
      expires_at: code.expires_at,
      same_target: true,
      group_id: 4,
      js_config_ids: [8],
    });
    expect(parsed.targets).toEqual([
      {
        id: 11,
        kind: 'picture',
        content: '42',
        any_picture: true,
        name: '一群',
        weight: 3,
        threshold: 200,
        refill_hour: 8,
        enabled: true,
        expires_at: null,
        rules: [{ regions: ['浙江'], hours: [9, 10] }],
      },
      {
        id: 12,
        kind: 'url',
        content: 'https://example.com',
        name: '',
        weight: 1,
        threshold: null,
        refill_hour: null,
        enabled: false,
        expires_at: '2031-01-01T00:00:00.000Z',
        any_picture: false,
        rules: null,
      },
    ]);
    expect(parsed).not.toHaveProperty('password');
  });

  test('cannot lose its key by an emptied field', () => {
    const values = codeValues(code);
    expect(update.input.safeParse(sent({ ...values, file_name: '' }, values, code)).success).toBe(false);
  });

  test('keeps, replaces or loses its password, as was chosen', () => {
    const values = codeValues(code);
    expect(sent(values, values, code)).not.toHaveProperty('password');
    expect(sent({ ...values, password: 'abcd' }, values, code)).toMatchObject({ password: 'abcd' });
    expect(sent({ ...values, removes_password: true }, values, code)).toMatchObject({ password: null });
    // A new password wins over a removal that was chosen before it was typed.
    expect(sent({ ...values, removes_password: true, password: 'abcd' }, values, code)).toMatchObject({ password: 'abcd' });
  });

  test('drops what was emptied: fallback, expiry, threshold, weight', () => {
    const values = codeValues({ ...code, fallback_url: 'https://example.com' });
    const [first, second] = values.targets;
    if (!first || !second) throw new Error('two targets');
    const changed = { ...values, fallback_url: '', expires_at: null, targets: [{ ...first, threshold: null, weight: null }, second] };
    const input = update.input.parse(sent(changed, values, code));
    expect(input).toMatchObject({ fallback_url: null, expires_at: null, targets: [{ id: 11, threshold: null, weight: 1 }, { id: 12 }] });
  });
});

describe('a copy', () => {
  test('has neither key, password nor targets of the original', () => {
    const copy = copiedValues({ ...code, name: '长'.repeat(64) }, `${'长'.repeat(64)} 副本`);
    expect(copy).toMatchObject({ file_name: '', password: '', page_text: '第一行\n第二行' });
    expect(copy.targets.every((target) => target.id === undefined)).toBe(true);
    expect(add.input.safeParse(sent(copy, copy)).success).toBe(true);
  });

  test('of a target is a row of its own', () => {
    const original = newTarget('text');
    const copy = copyTarget({ ...original, id: 4, content: 'x' });
    expect(copy).toMatchObject({ kind: 'text', content: 'x', id: undefined });
    expect(copy.key).not.toBe(original.key);
  });
});
