import { readFileSync } from 'node:fs';
import i18next from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../../contract/api.ts';
import type { Call } from '../../../contract/kit/call.ts';
import { doneText } from './done.ts';

const textsOf = (language: string) =>
  Object.fromEntries(
    ['done', 'common'].map((name) => [
      name,
      JSON.parse(
        readFileSync(new URL(`../../../locales/${language}/${name === 'common' ? 'start/' : ''}${name}.json`, import.meta.url), 'utf8'),
      ) as object,
    ]),
  );

beforeAll(async () => {
  const resources = { 'zh-CN': { translation: textsOf('zh-CN') }, 'en-US': { translation: textsOf('en-US') } };
  await i18next.init({ lng: 'zh-CN', fallbackLng: false, resources, nsSeparator: false, interpolation: { escapeValue: false } });
});

const said = (path: string, input: object, output: object = {}, name?: string): string => {
  const [group = '', action = ''] = path.split('/');
  return doneText({ group, action }, input, output, name);
};

describe('what was done is said', () => {
  test.each([
    ['group/add', { name: 'A' }, {}, '已添加分组“A”'],
    ['group/remove', { ids: [1, 2, 3] }, { affected: 12 }, '已删除 12 个分组'],
    ['domain_list/update_enabled', { ids: [1, 2, 3], enabled: true }, { affected: 3 }, '已启用 3 个域名'],
    ['domain_list/update_enabled', { ids: [1], enabled: false }, { affected: 0 }, '没有可更改的域名'],
    ['user_list/update_disabled', { ids: [1, 2], disabled: 2 }, { affected: 2 }, '已停用 2 个用户'],
    ['language_list/update', { code: 'en-US', show_status: 2 }, { title: 'English' }, '已隐藏语言“English”'],
    ['language_list/update', { code: 'en-US', title: 'English', show_status: 2 }, {}, '已保存语言“English”'],
    ['qr_code_list/update_remove', { ids: [1], removed: false }, { affected: 1 }, '已恢复 1 个活码，立即可以访问'],
    ['qr_code_list/update_open_log', { ids: [1, 2], open_log: false }, { affected: 2 }, '已关闭 2 个活码的访问明细'],
    ['administrators/force_refresh_all', {}, { affected: 7 }, '7 个用户需要重新登录'],
    ['we_chat_blocking_detection_configuration/update_enabled', { ids: [1, 2], enabled: false }, { affected: 2 }, '已停用 2 个检测器'],
    ['domain_monitor/update', { ids: [1, 2], paused: true }, { affected: 2 }, '已暂停监控 2 个地址'],
    ['admin_domain_monitor/update', { ids: [1, 2], paused: false }, { affected: 2 }, '已恢复监控 2 个地址'],
    ['domain_monitor/update', { ids: [1, 2], interval_seconds: 60 }, { affected: 2 }, '已修改 2 个地址的检测间隔'],
    ['shield_push/update_channel', { id: 1, enabled: false }, { name: '值班群' }, '渠道“值班群”已暂停'],
    ['shield_push/update_rule', { id: 1, enabled: false }, { name: '夜间' }, '已停用规则“夜间”'],
    ['shield_push/add_rule', { events: [] }, { name: '夜间' }, '已添加规则“夜间”'],
    ['shield_push/remove_channel', { ids: [1, 2] }, { affected: 2 }, '已删除 2 个渠道'],
  ])('%s %j', (path, input, output, words) => {
    expect(said(path, input, output)).toBe(words);
  });

  test('of one row by its name, cut where it is long, and of one without by what it is', () => {
    expect(said('webhook/remove', { ids: [4] }, { affected: 1 }, 'https://a.example')).toBe('已删除 Webhook“https://a.example”');
    expect(said('webhook/remove', { ids: [4] }, { affected: 1 })).toBe('已删除 Webhook');
    expect(said('telegram_bot_binding/unbind', { ids: [4] }, { affected: 1 }, '值班群')).toBe('已解绑“值班群”');
    expect(said('telegram_bot_binding/unbind', { ids: [4, 5] }, { affected: 2 }, '值班群')).toBe('已解绑 2 个聊天');
    expect(said('shield_push/resend', { ids: [4] }, { affected: 1 }, 'a.com 被拦截')).toBe('已安排重新发送“a.com 被拦截”');
    expect(said('shield_push/resend', { ids: [4] }, { affected: 1 })).toBe('已安排重新发送 1 条推送');
    expect(said('qr_code_list/update_remove', { ids: [4], removed: true }, { affected: 1 }, '门店')).toBe('已将活码“门店”移入回收站');
    expect(said('qr_code_list/update_remove', { ids: [4, 5], removed: true }, { affected: 1 }, '门店')).toBe('已将 1 个活码移入回收站');
    expect(said('group/add', { name: 'x'.repeat(60) })).toBe(`已添加分组“${'x'.repeat(39)}…”`);
  });

  test('in the language that is shown', async () => {
    await i18next.changeLanguage('en-US');
    expect(said('group/remove', { ids: [1, 2] }, { affected: 2 })).toBe('Deleted 2 groups');
    expect(said('group/add', { name: 'A' })).toBe('Added group “A”');
    await i18next.changeLanguage('zh-CN');
  });
});

/** Calls whose screens have words of their own, which lead somewhere, or say more of what was done or what comes next. */
const ownWords = new Set([
  'ip_correction/import',
  'domain_list/add_many',
  'domain_list/check',
  'domain_replacement/add',
  'domain_replacement/undo',
  'no_domain_name/assign',
  'nodomain/assign',
  'nodomain/notify',
  'export_domain_resolution/export',
  'qr_code_list/replace_targets',
  'qr_code_list/add_alias',
  'qr_code_list/remove_alias',
  'qr_code_list/add_target',
  'qr_code_list/export',
  'qr_code_list/update_open_on_domain',
  'qr_code_list/restore_version',
  'qr_code_list/undo',
  'code_import/start',
  'qr_design/apply',
  'qr_design/choose',
  'mall/purchase',
  'mall/give_back',
  'withdrawal_list/export_payments',
  'mall_product_list/export',
  'mall_product_list/export_purchases',
  'mall_product_list/import',
  'mall_product_list/undo_import',
  'configuration/update',
  'configuration/reset',
  'subscriber_config_default/update',
  'image_config/choose',
  'js_config/approve',
  'image_configs/replace',
  'message_list/send',
  'log/export',
  'log/clear',
  'home_page_config/update',
  'language_list/import_texts',
  'shield_configuration/reset',
  'shield_configuration/undo',
  'shield_configuration/retry',
  'wx_shield_detection/check',
  'wx_shield_detection/recheck',
  'wx_shield_detection/monitor',
  'wx_shield_detection/export',
  'domain_monitor/add',
  'domain_monitor/check',
  'admin_domain_monitor/add',
  'admin_domain_monitor/check',
  'shield_push/update_mail_server',
  'shield_push/remove_mail_server',
  'qr_code_access/export_access_records',
  'buy_vip_combo/buy',
  'buy_vip_combo/cancel',
  'buy_vip_combo/keep',
  'order_payment/pay',
  'member_gift/add',
  'member_gift/undo',
  'bill/verify',
  'usdt_transaction_record/rescan',
  'tron/generate',
  'tron/synchronise',
  'tron/remove',
  'tron/collect',
  'tron/collect_all',
  'tron_transaction_summary/hold',
  'tron_transaction_summary/retry',
]);

test('no call that changes something is left with words that say nothing', () => {
  const bare = Object.entries(groups).flatMap(([group, { calls }]) =>
    Object.entries(calls as Record<string, Call>)
      .filter(([, call]) => call.writes)
      .map(([action]) => `${group}/${action}`)
      .filter((path) => !ownWords.has(path) && said(path, {}) === i18next.t('common.success')),
  );
  expect(bare).toEqual([]);
});
