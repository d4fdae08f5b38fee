import { expect, test } from 'vitest';
import { screens } from './permissions.ts';

/** Addresses that users, documents and other programs know; that each has a page, the table of routes holds by its type. */
const known = {
  customer: `today_statistics qr_code_list set_qr_code domain_list vip_combo buy_vip_combo balance_recharge pay_config hold_domain order
    user_order daily_statistics hourly_statistics historical_statistics home home_page_config agent_divided_into agent_daily_statistics
    agent_historical_statistics acting_withdrawal_list withdrawal_list qr_code_list_admin domain_monitor admin_domain_monitor shield_push
    home_admin visit_summary qr_code_remove short_code group wx_shield_detection access_real_time_statistics
    we_chat_blocking_detection_configuration shield_configuration server_ip_black checkout_ip pc_historical_statistics order_customer
    user_customer batche_query monitor forward image_configs js_config internal_code_grouping export_domain_resolution recover
    no_domain_name nodomain short_qr_code_list stealing_list url_key_platform`,
  system: `role configuration subscriber_config_default log message_list log_config ip_black update_password rotation_type administrators
    user_list bill rotation mysql_lock mysql_time_consuming usdt_transaction_record async_operations script server_list
    telegram_bot_binding log_type image_config visitor tron tron_transaction_summary language_list mall_category_list mall_brand_list
    mall_product_list`,
} as const;

test.each(Object.entries(known))('every route of /%s is a screen', (area, paths) => {
  const there = new Set(screens.filter((screen) => screen.area === area).map(({ path }) => path as string));
  expect(paths.split(/\s+/).filter((path) => !there.has(path))).toEqual([]);
});
