import type { BuiltInLanguage } from '../contract/enums.ts';
import { plainEnglish } from './glossary.english.ts';

/** A text that is not said: whole words in languages that write spaces, parts of words in the others; an expression where that says too much. */
export type Refused = string | RegExp;

export type Term = { say: string; not: readonly Refused[] };

/** One thing has one word in every language. */
export type Concept = {
  means: string;
  words: Partial<Record<BuiltInLanguage, Term>>;
  /** Keys, `*` for any end, where a refused word is right because it means something else, and what it means there. */
  right_in?: Readonly<Record<string, string>>;
};

const literal = 'a text that is promised to the letter';

const codes: readonly Concept[] = [
  {
    means: 'a QR code whose target changes behind it',
    words: {
      'zh-CN': { say: '活码', not: ['动态码', '动态二维码'] },
      'zh-TW': { say: '活碼', not: ['動態碼', '動態 QR'] },
      'en-US': { say: 'live code', not: ['dynamic code', 'dynamic QR'] },
      'vi-VN': { say: 'mã động', not: ['mã trực tiếp', 'live code'] },
      'th-TH': { say: 'โค้ดไดนามิก', not: ['ไลฟ์โค้ด'] },
      'ja-JP': { say: 'ライブコード', not: ['動的コード', 'ダイナミックコード'] },
    },
  },
  {
    means: 'where a live code leads',
    words: {
      'zh-CN': { say: '子码', not: ['目标'] },
      'zh-TW': { say: '子碼', not: ['目標'] },
      'en-US': { say: 'target', not: ['destination', 'destinations'] },
      'vi-VN': { say: 'điểm đến', not: [/(?<!trang |điểm |mục |nhắm )(?<![\p{L}])đích/iu] },
      'ja-JP': { say: '遷移先', not: ['宛先', '送り先', 'リンク先'] },
    },
    right_in: {
      'short_code.*': 'where a short code leads',
      'url_key_platform.*': 'where a short code leads',
      'errors.short_code.*': 'where a short code leads',
      'errors.platform.*': 'where a short code leads',
      'forward.*': 'where a forward leads',
      'login.promise': 'said to those who do not know targets yet',
      'shield_push.target': 'the receiver of a push',
      'shield_push.test_to': 'the receiver of a test mail',
    },
  },
  {
    means: 'the end of a code’s link, `file_name`',
    words: {
      'zh-CN': { say: '后缀', not: ['尾码'] },
      'zh-TW': { say: '後綴', not: ['尾碼'] },
      'en-US': { say: 'suffix', not: ['code key', 'slug'] },
      'vi-VN': { say: 'hậu tố', not: ['đuôi mã'] },
      'th-TH': { say: 'ส่วนท้าย', not: ['คีย์โค้ด'] },
      'ja-JP': { say: 'URL末尾', not: [/(?<!パブリック|公開)サフィックス/, 'コードのキー'] },
    },
  },
  {
    means: 'a further suffix of a live code, whose visits are told apart',
    words: {
      'zh-CN': { say: '别名', not: ['副后缀', '附加后缀'] },
      'zh-TW': { say: '別名', not: ['副後綴', '附加後綴'] },
      'en-US': { say: 'alias', not: ['extra suffix', 'second suffix'] },
      'vi-VN': { say: 'bí danh', not: ['hậu tố phụ'] },
      'th-TH': { say: 'ชื่อแฝง', not: ['ส่วนท้ายเสริม'] },
      'ja-JP': { say: '別名', not: ['エイリアス'] },
    },
  },
  {
    means: 'a short path that leads elsewhere',
    words: {
      'zh-CN': { say: '短码（它的地址：短链接）', not: [/短链(?!接|平台)/, '短网址'] },
      'zh-TW': { say: '短碼（它的位址：短連結）', not: ['短鏈', '短網址'] },
      'en-US': { say: 'short code (its address: short link)', not: ['shortlink', 'short-code', 'short-link'] },
      'vi-VN': { say: 'mã ngắn (địa chỉ: liên kết ngắn)', not: ['rút gọn'] },
      'th-TH': { say: 'โค้ดสั้น (ที่อยู่: ลิงก์สั้น)', not: ['รหัสสั้น'] },
      'ja-JP': { say: '短縮コード（アドレスは短縮リンク）', not: ['ショートコード', '短いコード'] },
    },
    right_in: {
      'url_key_platform.type_4': 'short-URL platforms, by the specification',
      'url_key_platform.type_5': 'short-URL platforms, by the specification',
      'url_key_platform.type_4_help': 'services of others, which are called so',
      'url_key_platform.empty_help': 'services of others, which are called so',
    },
  },
  {
    means: 'a rule that leads a path elsewhere',
    words: {
      'zh-CN': { say: '转发', not: ['重定向', '转址'] },
      'en-US': { say: 'forward', not: ['forwarding'] },
    },
  },
  {
    means: 'how many visitors a target takes',
    words: {
      'zh-CN': { say: '访问上限', not: ['次数上限', '访问阈值'] },
      'zh-TW': { say: '造訪上限', not: [/(?<!登入失敗)次數上限/] },
      'en-US': { say: 'visit limit', not: ['threshold'] },
    },
    right_in: { 'settings.login_failure_limit.*': 'how often a login may fail' },
  },
  {
    means: 'to give a target its visits again',
    words: { 'zh-CN': { say: '补满', not: ['补充次数'] }, 'zh-TW': { say: '補滿', not: ['補充次數'] } },
  },
  {
    means: 'where removed codes wait',
    words: {
      'zh-CN': { say: '回收站', not: ['已删除活码', '垃圾箱'] },
      'zh-TW': { say: '回收桶', not: ['資源回收筒', '垃圾桶', '已刪除活碼'] },
      'en-US': { say: 'recycle bin', not: ['trash', 'removed codes'] },
      'vi-VN': { say: 'thùng rác', not: ['mục đã xóa'] },
      'ja-JP': { say: 'ゴミ箱', not: ['ごみ箱'] },
    },
  },
  {
    means: 'code of others that runs on landing pages',
    words: {
      'zh-CN': { say: '代码片段', not: ['JS 配置', '脚本片段'] },
      'zh-TW': { say: '程式碼片段', not: ['JS 設定'] },
      'en-US': { say: 'code snippet', not: ['JS snippet', 'JS snippets'] },
      'vi-VN': { say: 'đoạn mã', not: ['Cấu hình JS'] },
      'th-TH': { say: 'สนิปเพ็ต', not: ['ตั้งค่า JS'] },
      'ja-JP': { say: 'スニペット', not: ['JS設定'] },
    },
  },
];

const visits: readonly Concept[] = [
  {
    means: 'how many visits there were',
    words: {
      'zh-CN': { say: '访问次数', not: ['访问量', '浏览量', '点击量'] },
      'zh-TW': { say: '造訪次數', not: ['訪問', '造訪量', '瀏覽量', '存取次數'] },
      'en-US': { say: 'visits', not: ['hits', 'page views'] },
      'vi-VN': { say: 'lượt truy cập', not: ['lượt xem', 'lượt ghé'] },
      'ja-JP': { say: 'アクセス数', not: ['訪問数', 'ビュー数'] },
    },
  },
  {
    means: 'a visit that reached no target',
    words: {
      'zh-CN': { say: '被拒访问', not: ['未通过', '拦下'] },
      'zh-TW': { say: '遭拒造訪', not: ['未通過', '被拒'] },
      'en-US': { say: 'refused', not: ['turned away'] },
    },
    right_in: {
      'js_config.approval_refused': 'an approval that was not given',
      'js_config.notice.refused': 'an approval that was not given',
      'set_qr_code.snippets.refused': 'an approval that was not given',
    },
  },
  {
    means: 'addresses that visitors came from, each counted once',
    words: {
      'zh-CN': { say: '访客 IP', not: ['独立 IP', '独立访客', '访问者'] },
      'zh-TW': { say: '訪客 IP', not: ['獨立 IP', '不重複訪客'] },
      'en-US': { say: 'visitor IPs', not: ['unique IP', 'unique IPs', 'unique visitors'] },
      'vi-VN': { say: 'IP truy cập', not: ['IP khách'] },
      'ja-JP': { say: '訪問者IP', not: ['ユニークIP', '独立IP'] },
    },
  },
  {
    means: 'the messenger, browser or app in which a code is opened',
    words: {
      'zh-CN': { say: '打开环境', not: ['访问环境', '访问来源'] },
      'zh-TW': { say: '開啟環境', not: ['造訪環境', '存取環境'] },
      'vi-VN': { say: 'mở bằng', not: ['môi trường truy cập', 'mở ở đâu'] },
      'ja-JP': { say: '閲覧環境', not: ['訪問環境', '開く場所', /^アクセス元$/] },
    },
  },
  {
    means: 'rows of visits, with time, address and device',
    words: {
      'zh-CN': { say: '访问明细', not: ['访问记录', '访问日志'] },
      'zh-TW': { say: '造訪明細', not: [/造訪[紀記]錄/] },
      'en-US': { say: 'visit details', not: ['visit log', 'visit rows', 'visit record'] },
      'vi-VN': { say: 'chi tiết truy cập', not: ['nhật ký truy cập'] },
      'ja-JP': { say: 'アクセス明細', not: [/アクセス記録(?!の検索)/, 'アクセスログ'] },
    },
    right_in: {
      'access_log.*': 'the access records of the public lookup, by the specification',
      'qr_code_list.share.help': 'the access records of the public lookup, by the specification',
    },
  },
  {
    means: 'where an address is',
    words: {
      'zh-CN': { say: '地区', not: ['归属地', '所在地'] },
      'zh-TW': { say: '地區', not: ['歸屬地', '所在地'] },
      'en-US': { say: 'region', not: ['whereabouts'] },
    },
  },
  {
    means: 'addresses that are refused',
    words: {
      'zh-CN': { say: '黑名单（加入、移出）', not: ['拉黑', '屏蔽 IP'] },
      'zh-TW': { say: '黑名單（加入、移出）', not: ['封鎖 IP', 'IP 已封鎖'] },
      'en-US': { say: 'blacklist (add to, remove from)', not: ['blocklist', 'denylist'] },
      'th-TH': { say: 'แบล็กลิสต์', not: ['บัญชีดำ'] },
      'ja-JP': { say: '拒否リスト', not: ['ブラックリスト'] },
    },
  },
];

const domains: readonly Concept[] = [
  {
    means: 'the domain on which visitors end',
    words: {
      'zh-CN': { say: '落地域名', not: ['落地页域名', '着陆域名'] },
      'zh-TW': { say: '落地網域', not: ['著陸網域', '落地頁網域'] },
      'en-US': { say: 'landing domain', not: ['landing-page domain', 'landing page domain'] },
      'vi-VN': { say: 'tên miền trang đích', not: ['tên miền đích', 'miền đích'] },
      'th-TH': { say: 'โดเมนแลนดิ้ง', not: ['โดเมนปลายทาง'] },
      'ja-JP': { say: 'ランディングドメイン', not: ['着地ドメイン'] },
    },
  },
  {
    means: 'the domain that the QR code holds',
    words: {
      'zh-CN': { say: '入口域名', not: ['进入域名'] },
      'vi-VN': { say: 'tên miền đầu vào', not: [/tên miền vào(?! )/i] },
      'ja-JP': { say: '入口ドメイン', not: ['エントリードメイン'] },
    },
  },
  {
    means: 'refused by the messenger',
    words: {
      'zh-CN': { say: '拦截', not: ['封禁', '封锁'] },
      'zh-TW': { say: '封鎖', not: ['攔截', '封禁'] },
    },
    right_in: { 'command.words_check': 'what people type' },
  },
  {
    means: 'to put another thing in the place of one, on many codes',
    words: {
      'zh-CN': { say: '替换（一处：更换）', not: ['置换', '调换'] },
      'zh-TW': { say: '取代（一處：更換）', not: ['替換'] },
      'ja-JP': { say: '差し替え（文字列：置換）', not: ['置き換え', '取り替え'] },
    },
  },
];

const acts: readonly Concept[] = [
  {
    means: 'to create what was not there (what exists already is added)',
    words: {
      'zh-CN': { say: '新建（已有的：添加）', not: ['新增', /创建(?!时间)/] },
      'zh-TW': { say: '建立（已有的：新增）', not: ['新建', '創建'] },
      'en-US': { say: 'create', not: [/\b(is|are|was|were|been) made\b/i, /^make /i] },
    },
  },
  {
    means: 'to delete a thing (it is removed from a list that it stays outside of)',
    words: {
      'zh-CN': { say: '删除（从名单：移出，从角色：移除）', not: ['永久删除'] },
      'zh-TW': { say: '刪除（不能還原：永久刪除）', not: ['徹底刪除'] },
      'en-US': { say: 'delete', not: ['erase', /\bforever\b/i] },
    },
    right_in: { 'message_list.clear_content': 'the confirmation of the specification' },
  },
  {
    means: 'to let a thing work or rest (switches of codes and functions: turn on, off)',
    words: {
      'zh-CN': { say: '启用、停用（开关：开启、关闭）', not: ['禁用', '激活', '关掉'] },
      'zh-TW': { say: '啟用、停用（開關：開啟、關閉）', not: ['禁用', '關掉'] },
      'en-US': { say: 'turn on, turn off', not: [/\bswitch(ed|es|ing)? (it |them )?(on|off)\b/i] },
      'vi-VN': { say: 'bật, tắt', not: [/(?<!\p{L})đóng (mã|cả)(?!\p{L})/iu] },
    },
    right_in: { 'command.words_close': 'what people type' },
  },
  {
    means: 'to end a token',
    words: {
      'zh-CN': { say: '吊销', not: [/撤销.{0,6}令牌/, '作废'] },
      'zh-TW': { say: '撤銷', not: ['吊銷'] },
    },
  },
  {
    means: 'to take an act back',
    words: {
      'zh-CN': { say: '撤销', not: ['回退', '反悔'] },
      'zh-TW': { say: '復原', not: ['可隨時撤銷'] },
      'en-US': { say: 'undo', not: ['take back', 'taken back'] },
    },
  },
  {
    means: 'what has an end, and its end',
    words: {
      'zh-CN': { say: '到期', not: ['过期'] },
      'zh-TW': { say: '到期', not: ['過期'] },
      'en-US': { say: 'expires, expired', not: ['runs out on', 'has ended'] },
    },
  },
  {
    means: 'to load what is shown once more (what grows by itself is updated)',
    words: { 'zh-CN': { say: '刷新', not: ['重新加载', '重载'] }, 'zh-TW': { say: '重新整理', not: ['刷新'] } },
  },
];

const people: readonly Concept[] = [
  {
    means: 'the user to whom a code or link belongs',
    words: {
      'zh-CN': { say: '所有者', not: ['所属用户', '主人', '拥有者'] },
      'zh-TW': { say: '擁有者', not: ['所屬使用者', '主人', '所有者'] },
      'vi-VN': { say: 'chủ sở hữu', not: ['chủ của mã'] },
    },
    right_in: { 'errors.token_invalid': 'the user of a token' },
  },
  {
    means: 'what a user logs in as',
    words: {
      'zh-CN': { say: '账号', not: ['账户', '帐号', '帐户', '用户名'] },
      'zh-TW': { say: '帳號', not: ['帳戶', '使用者名稱'] },
      'en-US': { say: 'account', not: ['username', 'user name'] },
    },
    right_in: {
      'errors.field.*': literal,
      'login.account_placeholder': literal,
      'update_password.new_password_help': 'in the words of the fault that it prevents',
      'errors.outgoing.invalid_url': 'the user name in an address',
      'telegram_bot.*': 'the name in Telegram, in its own word',
      'telegram_bot_binding.*': 'the name in Telegram, in its own word',
      'shield_push.username': 'what a mail server calls it',
    },
  },
  {
    means: 'the second step of a login',
    words: {
      'zh-CN': { say: '两步验证', not: ['二次验证', '双重验证', '双因素'] },
      'zh-TW': { say: '兩步驟驗證', not: ['雙重驗證', '二次驗證'] },
      'en-US': { say: 'two-step verification', not: ['second factor', 'second-factor', 'two-factor', '2FA'] },
    },
  },
  {
    means: 'to show statistics by a link and a password (views and designs are shared with all: 共享)',
    words: {
      'zh-CN': { say: '分享', not: ['共享统计', '共享页面', '共享密码'] },
      'zh-TW': { say: '分享', not: ['共享統計', '共享頁面', '共享密碼'] },
    },
  },
  {
    means: 'codes that are sorted together',
    words: { 'zh-CN': { say: '分组', not: ['群组', '组别'] }, 'zh-TW': { say: '分組', not: ['組別'] } },
    right_in: { 'telegram_bot_binding.*': 'groups of Telegram', 'errors.telegram.migrated': 'groups of Telegram' },
  },
  {
    means: 'what a user notes about a thing',
    words: {
      'zh-CN': { say: '备注', not: ['附注', '注释'] },
      'zh-TW': { say: '備註', not: ['附註', '備注'] },
      'en-US': { say: 'remark', not: ['annotation', 'memo'] },
    },
  },
  {
    means: 'a message of the administrators to users',
    words: {
      'zh-CN': { say: '站内信', not: ['消息'] },
      'zh-TW': { say: '站內信', not: ['站內訊息'] },
    },
    right_in: {
      'maintain.watch': 'the messages of a group, by the specification',
      'telegram_bot.last_update_at': 'messages in Telegram',
      'errors.telegram.conflict': 'messages in Telegram',
    },
  },
  {
    means: 'an address on the web',
    words: { 'zh-CN': { say: '链接', not: [/(?<!短)网址/, '超链接'] } },
  },
  {
    means: 'the square that phones scan',
    words: {
      'zh-TW': { say: 'QR 碼', not: ['二維碼', 'QR Code', '行動條碼'] },
      'en-US': { say: 'QR code', not: ['QR image', 'QR images'] },
    },
  },
  {
    means: 'a secret of a program',
    words: { 'zh-CN': { say: '密钥', not: ['密匙', '秘钥'] }, 'zh-TW': { say: '金鑰', not: ['密鑰', '密匙'] } },
  },
];

const english = plainEnglish.map(([say, ...not]): Concept => ({ means: 'plain English', words: { 'en-US': { say, not } } }));

export const glossary: readonly Concept[] = [...codes, ...visits, ...domains, ...acts, ...people, ...english];
