// not messages: what people type for an act, whatever language the screens are in.
import type { NodeKey } from '../../../contract/permissions.ts';

/** Words beside the act's own name, in English, Chinese and as Chinese is typed. */
export const actWords = {
  export: 'export download csv xlsx 导出 下载 匯出 daochu dc',
  log_out: 'log out logout sign exit quit 退出 登出 tuichu tc dengchu',
  theme: 'theme dark light mode 主题 深色 浅色 zhuti zt',
  language: 'language locale 语言 語言 yuyan yy',
} as const;

/** The same for what is made new, by the node that allows it. */
export const newWords: Partial<Record<NodeKey, string>> = {
  'qr_code_list.add': 'new code create qr 新建 活码 xinjian xjhm',
  'qr_code_list.import': 'import upload csv xlsx 导入 匯入 daoru dr',
  'short_code.add': 'new short code link 短码 短链 duanma duanlian',
  'domain_list.add': 'new domain host add 域名 yuming',
  'forward.add': 'new forward redirect 转发 zhuanfa',
  'group.add': 'new group 分组 fenzu',
  'user_list.add': 'new user customer 用户 yonghu',
  'message_list.send': 'send message 站内信 zhanneixin',
};
