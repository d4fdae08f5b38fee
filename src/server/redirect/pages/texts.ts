import type { GrantedOutcome, Outcome } from '../../../contract/enums.ts';

/** Languages of the visitor pages. They are fuller than the back office's and independent of it: visitors come from anywhere. */
export const pageLanguages = ['zh-CN', 'zh-TW', 'en-US', 'vi-VN', 'th-TH', 'ja-JP'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

/** Outcomes that end in a refusal page; `unavailable` is an answer that could not be recorded, so it is no outcome of a visit. */
export type RefusalOutcome = Exclude<Outcome, GrantedOutcome> | 'unavailable';

type RefusalText = { title: string; text: string };

type PageTexts = {
  refusals: Record<RefusalOutcome, RefusalText>;
  /** How to open a copied link in the messenger, in order. */
  messenger_steps: readonly string[];
  copy_link: string;
  copy_text: string;
  copied: string;
  retry: string;
  report: string;
  opening: string;
  tap_to_open: string;
  new_window: RefusalText;
  open_page: string;
  open_directly: string;
  dismiss: string;
  long_press: string;
  scan_picture: string;
};

export const texts: Record<PageLanguage, PageTexts> = {
  'zh-CN': {
    refusals: {
      unknown_host: { title: '这个链接没有页面', text: '链接可能不完整，或域名已停用。请重新扫描二维码，或向发链接的人核对。' },
      blocked_ip: { title: '当前网络无法访问', text: '这个页面限制了您所在网络的访问。如有疑问，请联系发布者。' },
      not_found: { title: '没有找到这个二维码', text: '它可能已被删除，或链接不完整。请重新扫描，或向发布者索取新的二维码。' },
      frozen: { title: '这个二维码已被停用', text: '平台停用了它，因为它可能违反了规定。请谨慎对待之前看到的内容。' },
      closed: { title: '这个二维码已暂停使用', text: '发布者暂时关闭了它。请稍后再来，或直接联系发布者。' },
      owner_inactive: { title: '这个二维码暂时不可用', text: '发布者的服务已暂停。详情请直接联系发布者。' },
      not_scanned: { title: '请重新扫描二维码', text: '这个页面只能扫码打开，转发、收藏或刷新的链接不再有效。请再扫一次印出来的二维码。' },
      not_messenger: { title: '请在微信中打开', text: '这个页面只能在微信里查看。' },
      exhausted: { title: '名额已满', text: '目前没有空余名额。名额补充后即可打开，请稍后再来。' },
      blocked_source: { title: '不能从这个网页打开', text: '发布者不接受来自您刚才所在网页的访问。请扫描原来的二维码，或直接联系发布者。' },
      unavailable: { title: '服务器繁忙', text: '页面暂时打不开，请过一分钟再试。' },
    },
    messenger_steps: ['复制下面的链接', '粘贴到微信聊天里发送', '点开刚发送的链接'],
    copy_link: '复制链接',
    copy_text: '复制文字',
    copied: '已复制',
    retry: '重试',
    report: '举报',
    opening: '正在打开…',
    tap_to_open: '没有自动打开？点这里',
    new_window: { title: '在新窗口中打开', text: '如果新窗口没有出现，请点下面的按钮。' },
    open_page: '打开页面',
    open_directly: '页面没有显示？直接打开',
    dismiss: '关闭提示',
    long_press: '长按图片，识别二维码',
    scan_picture: '用手机扫描图中的二维码',
  },
  'zh-TW': {
    refusals: {
      unknown_host: { title: '這個連結沒有頁面', text: '連結可能不完整，或網域已停用。請重新掃描 QR 碼，或向傳送連結的人確認。' },
      blocked_ip: { title: '目前的網路無法存取', text: '這個頁面限制了您所在網路的存取。如有疑問，請聯絡發布者。' },
      not_found: { title: '找不到這個 QR 碼', text: '它可能已被刪除，或連結不完整。請重新掃描，或向發布者索取新的 QR 碼。' },
      frozen: { title: '這個 QR 碼已被停用', text: '平台停用了它，因為它可能違反了規定。請謹慎看待先前看到的內容。' },
      closed: { title: '這個 QR 碼已暫停使用', text: '發布者暫時關閉了它。請稍後再來，或直接聯絡發布者。' },
      owner_inactive: { title: '這個 QR 碼暫時無法使用', text: '發布者的服務已暫停。詳情請直接聯絡發布者。' },
      not_scanned: {
        title: '請重新掃描 QR 碼',
        text: '這個頁面只能掃碼開啟，轉傳、收藏或重新整理的連結不再有效。請再掃一次印出來的 QR 碼。',
      },
      not_messenger: { title: '請在微信中開啟', text: '這個頁面只能在微信（WeChat）裡檢視。' },
      exhausted: { title: '名額已滿', text: '目前沒有空餘名額。名額補充後即可開啟，請稍後再來。' },
      blocked_source: { title: '無法從這個網頁開啟', text: '發布者不接受來自您剛才所在網頁的造訪。請掃描原來的 QR 碼，或直接聯絡發布者。' },
      unavailable: { title: '伺服器忙碌中', text: '頁面暫時無法開啟，請過一分鐘再試。' },
    },
    messenger_steps: ['複製下面的連結', '貼到微信聊天裡傳送', '點開剛傳送的連結'],
    copy_link: '複製連結',
    copy_text: '複製文字',
    copied: '已複製',
    retry: '重試',
    report: '檢舉',
    opening: '正在開啟…',
    tap_to_open: '沒有自動開啟？點這裡',
    new_window: { title: '在新視窗中開啟', text: '如果新視窗沒有出現，請點下面的按鈕。' },
    open_page: '開啟頁面',
    open_directly: '頁面沒有顯示？直接開啟',
    dismiss: '關閉提示',
    long_press: '長按圖片，辨識 QR 碼',
    scan_picture: '用手機掃描圖中的 QR 碼',
  },
  'en-US': {
    refusals: {
      unknown_host: {
        title: 'There is no page at this address',
        text: 'The link may be incomplete, or the domain is no longer in use. Scan the code again, or check with the sender of the link.',
      },
      blocked_ip: {
        title: 'Not available on this network',
        text: 'This page is closed to visits from your current network. If you have questions, contact the publisher.',
      },
      not_found: {
        title: 'This code was not found',
        text: 'It may have been removed, or the link is incomplete. Scan it again, or ask the publisher for a new one.',
      },
      frozen: {
        title: 'This code has been blocked',
        text: 'The platform has blocked it because it may break the rules. Please be careful with what it showed before.',
      },
      closed: {
        title: 'This code is paused',
        text: 'The publisher has turned it off for now. Come back later, or contact the publisher.',
      },
      owner_inactive: {
        title: 'This code is not in service',
        text: 'The publisher’s service is suspended. Please contact the publisher directly.',
      },
      not_scanned: {
        title: 'Scan the printed code again',
        text: 'This page opens only by scanning. A link that was forwarded, saved or reloaded no longer works.',
      },
      not_messenger: { title: 'Open this page in WeChat', text: 'This page can only be viewed inside WeChat.' },
      exhausted: {
        title: 'All places are taken',
        text: 'There is no free place right now. The page opens again when the publisher adds more.',
      },
      blocked_source: {
        title: 'Not available from that site',
        text: 'The publisher does not accept visits from the page you came from. Scan the original code, or contact the publisher.',
      },
      unavailable: { title: 'The server is busy', text: 'The page can’t be opened right now. Please try again in a minute.' },
    },
    messenger_steps: ['Copy the link below', 'Send it in any WeChat chat', 'Tap the link you sent'],
    copy_link: 'Copy link',
    copy_text: 'Copy text',
    copied: 'Copied',
    retry: 'Try again',
    report: 'Report',
    opening: 'Opening…',
    tap_to_open: 'Nothing happened? Tap here',
    new_window: { title: 'Opens in a new window', text: 'If no new window appeared, use the button below.' },
    open_page: 'Open page',
    open_directly: 'Page not showing? Open directly',
    dismiss: 'Hide this bar',
    long_press: 'Long-press the picture to read the QR code',
    scan_picture: 'Scan the QR code with a phone',
  },
  'vi-VN': {
    refusals: {
      unknown_host: {
        title: 'Không có trang nào ở địa chỉ này',
        text: 'Liên kết có thể bị thiếu, hoặc tên miền không còn được dùng. Hãy quét lại mã, hoặc hỏi lại người đã gửi liên kết.',
      },
      blocked_ip: {
        title: 'Không thể truy cập từ mạng này',
        text: 'Trang này không nhận truy cập từ mạng bạn đang dùng. Nếu có thắc mắc, hãy liên hệ người phát hành mã.',
      },
      not_found: {
        title: 'Không tìm thấy mã này',
        text: 'Mã có thể đã bị xóa, hoặc liên kết bị thiếu. Hãy quét lại, hoặc xin mã mới từ người phát hành.',
      },
      frozen: {
        title: 'Mã QR này đã bị khóa',
        text: 'Nền tảng đã khóa mã vì có thể vi phạm quy định. Hãy cẩn trọng với nội dung mà mã từng hiển thị.',
      },
      closed: { title: 'Mã này đang tạm dừng', text: 'Người phát hành đã tạm tắt mã. Hãy quay lại sau, hoặc liên hệ người phát hành.' },
      owner_inactive: {
        title: 'Mã này tạm ngưng phục vụ',
        text: 'Dịch vụ của người phát hành đang tạm ngưng. Hãy liên hệ trực tiếp với họ.',
      },
      not_scanned: {
        title: 'Hãy quét lại mã đã in',
        text: 'Trang này chỉ mở được bằng cách quét mã. Liên kết được chuyển tiếp, lưu lại hoặc tải lại không còn hiệu lực.',
      },
      not_messenger: { title: 'Hãy mở trang này trong WeChat', text: 'Trang này chỉ xem được trong WeChat.' },
      exhausted: { title: 'Đã hết chỗ', text: 'Hiện không còn chỗ trống. Trang sẽ mở lại khi người phát hành thêm chỗ.' },
      blocked_source: {
        title: 'Không mở được từ trang đó',
        text: 'Người phát hành không nhận lượt truy cập từ trang bạn vừa xem. Hãy quét mã gốc, hoặc liên hệ trực tiếp với họ.',
      },
      unavailable: { title: 'Máy chủ đang bận', text: 'Hiện chưa mở được trang. Hãy thử lại sau một phút.' },
    },
    messenger_steps: ['Sao chép liên kết bên dưới', 'Dán và gửi trong WeChat', 'Chạm vào liên kết vừa gửi'],
    copy_link: 'Sao chép liên kết',
    copy_text: 'Sao chép văn bản',
    copied: 'Đã sao chép',
    retry: 'Thử lại',
    report: 'Báo cáo vi phạm',
    opening: 'Đang mở…',
    tap_to_open: 'Chưa tự mở? Chạm vào đây',
    new_window: { title: 'Mở trong cửa sổ mới', text: 'Nếu cửa sổ mới không hiện ra, hãy chạm vào nút bên dưới.' },
    open_page: 'Mở trang',
    open_directly: 'Trang không hiển thị? Mở trực tiếp',
    dismiss: 'Ẩn thanh này',
    long_press: 'Nhấn giữ ảnh để nhận diện mã QR',
    scan_picture: 'Dùng điện thoại quét mã QR trong ảnh',
  },
  'th-TH': {
    refusals: {
      unknown_host: {
        title: 'ไม่มีหน้าเว็บที่ที่อยู่นี้',
        text: 'ลิงก์อาจไม่ครบ หรือโดเมนนี้เลิกใช้แล้ว ลองสแกนโค้ดอีกครั้ง หรือสอบถามผู้ที่ส่งลิงก์',
      },
      blocked_ip: {
        title: 'เปิดจากเครือข่ายนี้ไม่ได้',
        text: 'หน้านี้ไม่เปิดให้เข้าชมจากเครือข่ายที่ใช้อยู่ หากมีข้อสงสัย โปรดติดต่อผู้เผยแพร่',
      },
      not_found: {
        title: 'ไม่พบคิวอาร์โค้ดนี้',
        text: 'โค้ดอาจถูกลบแล้ว หรือลิงก์ไม่ครบ ลองสแกนอีกครั้ง หรือขอโค้ดใหม่จากผู้เผยแพร่',
      },
      frozen: { title: 'คิวอาร์โค้ดนี้ถูกระงับ', text: 'แพลตฟอร์มระงับโค้ดนี้เพราะอาจผิดกฎ โปรดระวังเนื้อหาที่เคยแสดง' },
      closed: {
        title: 'คิวอาร์โค้ดนี้หยุดใช้ชั่วคราว',
        text: 'ผู้เผยแพร่ปิดไว้ชั่วคราว โปรดกลับมาใหม่ภายหลัง หรือติดต่อผู้เผยแพร่',
      },
      owner_inactive: {
        title: 'คิวอาร์โค้ดนี้งดให้บริการ',
        text: 'บริการของผู้เผยแพร่ถูกระงับอยู่ โปรดติดต่อผู้เผยแพร่โดยตรง',
      },
      not_scanned: {
        title: 'โปรดสแกนโค้ดที่พิมพ์ไว้อีกครั้ง',
        text: 'หน้านี้เปิดได้ด้วยการสแกนเท่านั้น ลิงก์ที่ส่งต่อ บันทึกไว้ หรือโหลดซ้ำใช้ไม่ได้แล้ว',
      },
      not_messenger: { title: 'โปรดเปิดหน้านี้ใน WeChat', text: 'หน้านี้ดูได้ใน WeChat เท่านั้น' },
      exhausted: { title: 'ที่เต็มแล้ว', text: 'ตอนนี้ไม่มีที่ว่าง หน้านี้จะเปิดอีกครั้งเมื่อผู้เผยแพร่เพิ่มจำนวนที่' },
      blocked_source: { title: 'เปิดจากเว็บนั้นไม่ได้', text: 'ผู้เผยแพร่ไม่รับการเข้าชมจากหน้าเว็บที่คุณเพิ่งเปิด โปรดสแกนโค้ดต้นฉบับ หรือติดต่อผู้เผยแพร่โดยตรง' },
      unavailable: { title: 'เซิร์ฟเวอร์ไม่ว่าง', text: 'ตอนนี้ยังเปิดหน้านี้ไม่ได้ โปรดลองใหม่ในอีกหนึ่งนาที' },
    },
    messenger_steps: ['คัดลอกลิงก์ด้านล่าง', 'วางในแชต WeChat แล้วส่ง', 'แตะลิงก์ที่เพิ่งส่ง'],
    copy_link: 'คัดลอกลิงก์',
    copy_text: 'คัดลอกข้อความ',
    copied: 'คัดลอกแล้ว',
    retry: 'ลองอีกครั้ง',
    report: 'รายงาน',
    opening: 'กำลังเปิด…',
    tap_to_open: 'ไม่เปิดอัตโนมัติใช่ไหม แตะที่นี่',
    new_window: { title: 'เปิดในหน้าต่างใหม่', text: 'หากหน้าต่างใหม่ไม่ปรากฏ โปรดแตะปุ่มด้านล่าง' },
    open_page: 'เปิดหน้าเว็บ',
    open_directly: 'หน้าไม่แสดงใช่ไหม เปิดโดยตรง',
    dismiss: 'ซ่อนแถบนี้',
    long_press: 'กดค้างที่รูปเพื่ออ่านคิวอาร์โค้ด',
    scan_picture: 'ใช้โทรศัพท์สแกนคิวอาร์โค้ดในรูป',
  },
  'ja-JP': {
    refusals: {
      unknown_host: {
        title: 'このアドレスにページはありません',
        text: 'リンクが途中で切れているか、ドメインの使用が終了しています。コードをもう一度読み取るか、リンクの送り主にご確認ください。',
      },
      blocked_ip: {
        title: 'このネットワークからは表示できません',
        text: 'お使いのネットワークからのアクセスは制限されています。ご不明な点は発行者にお問い合わせください。',
      },
      not_found: {
        title: 'QRコードが見つかりません',
        text: '削除されたか、リンクが途中で切れている可能性があります。もう一度読み取るか、発行者に新しいコードをお求めください。',
      },
      frozen: {
        title: 'このQRコードは利用停止中です',
        text: '規約に反するおそれがあるため、運営者が停止しました。以前に表示された内容にはご注意ください。',
      },
      closed: {
        title: 'このQRコードは一時停止中です',
        text: '発行者が一時的に停止しています。時間をおいて開くか、発行者にお問い合わせください。',
      },
      owner_inactive: {
        title: 'このQRコードは現在ご利用になれません',
        text: '発行者のサービスが停止しています。発行者に直接お問い合わせください。',
      },
      not_scanned: {
        title: 'QRコードをもう一度読み取ってください',
        text: 'このページは、印刷されたコードを読み取ったときだけ開けます。転送・保存・再読み込みしたリンクは使えません。',
      },
      not_messenger: { title: 'WeChatで開いてください', text: 'このページはWeChatの中でだけ表示できます。' },
      exhausted: { title: 'ただいま満員です', text: '現在、空きがありません。発行者が枠を追加すると、また開けるようになります。' },
      blocked_source: {
        title: 'このサイトからは開けません',
        text: '発行者は、いまご覧になっていたページからのアクセスを受け付けていません。元のQRコードを読み取るか、発行者に直接お問い合わせください。',
      },
      unavailable: { title: 'サーバーが混み合っています', text: 'ただいまページを開けません。1分ほどしてから、もう一度お試しください。' },
    },
    messenger_steps: ['下のリンクをコピーする', 'WeChatのトークに貼り付けて送る', '送ったリンクをタップする'],
    copy_link: 'リンクをコピー',
    copy_text: 'テキストをコピー',
    copied: 'コピーしました',
    retry: '再試行',
    report: '報告する',
    opening: '開いています…',
    tap_to_open: '自動で開かない場合はこちら',
    new_window: { title: '新しいウィンドウで開きます', text: '新しいウィンドウが表示されない場合は、下のボタンを押してください。' },
    open_page: 'ページを開く',
    open_directly: '表示されない場合は直接開く',
    dismiss: 'このバーを隠す',
    long_press: '画像を長押ししてQRコードを読み取る',
    scan_picture: 'スマートフォンで画像のQRコードを読み取る',
  },
};

/** Longer headers are cut: no real browser sends more, and the work for a hostile one stays bounded. */
const maxHeaderLength = 512;

const languageOfTag = (tag: string): PageLanguage | null => {
  const [primary, ...rest] = tag.toLowerCase().split('-');
  if (primary === 'en') return 'en-US';
  if (primary === 'vi') return 'vi-VN';
  if (primary === 'th') return 'th-TH';
  if (primary === 'ja') return 'ja-JP';
  if (primary !== 'zh' && primary !== 'yue' && primary !== 'cmn') return null;
  // The script decides before the region: zh-Hans-HK reads simplified characters. Cantonese without either is written in traditional ones.
  if (rest.includes('hans')) return 'zh-CN';
  if (rest.some((part) => part === 'hant' || part === 'tw' || part === 'hk' || part === 'mo')) return 'zh-TW';
  return primary === 'yue' && !rest.includes('cn') ? 'zh-TW' : 'zh-CN';
};

/** A weight by RFC 9110, 0 to 1; null for a malformed one, whose language is then left out. */
const weightOf = (parameter: string | undefined): number | null => {
  if (parameter === undefined) return 1;
  const found = /^\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i.exec(parameter);
  return found?.[1] === undefined ? null : Number(found[1]);
};

/** The language of ours that an Accept-Language header prefers: highest weight, then first named; `*` and nothing known give `fallback`. */
export const chooseLanguage = (acceptLanguage: string | undefined, fallback: PageLanguage): PageLanguage => {
  if (!acceptLanguage) return fallback;
  let best = fallback;
  let bestWeight = 0;
  for (const entry of acceptLanguage.slice(0, maxHeaderLength).split(',')) {
    const [tag = '', parameter] = entry.split(';', 2);
    const language = tag.trim() === '*' ? fallback : languageOfTag(tag.trim());
    const weight = weightOf(parameter);
    if (language === null || weight === null || weight <= bestWeight) continue;
    best = language;
    bestWeight = weight;
    if (weight === 1) break;
  }
  return best;
};
