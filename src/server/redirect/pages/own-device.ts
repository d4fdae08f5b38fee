import { escapeHtml } from './escape.ts';
import { buildPage, type Page, pageStyle, siteHeader } from './page.ts';
import type { PageLanguage } from './texts.ts';

type OwnDeviceTexts = {
  done: { title: string; text: string };
  /** Above the links to the hosts that this device isn't marked on yet; else that it is on all. */
  next: string;
  complete: string;
  kept: string;
  old: { title: string; text: string };
};

const texts: Record<PageLanguage, OwnDeviceTexts> = {
  'zh-CN': {
    done: { title: '已标记为您自己的设备', text: '用它访问您的活码时，不计入访问次数，也不占用访问上限和轮换。' },
    next: '您的活码还在使用下面的域名，请逐个打开：',
    complete: '您的域名都已标记，可以关闭此页了。',
    kept: '标记只在当前浏览器中有效，清除浏览数据后需要重新标记。',
    old: { title: '链接已失效', text: '标记链接一小时内有效，请在后台的“密码与安全”中重新获取。' },
  },
  'zh-TW': {
    done: { title: '已標記為您自己的裝置', text: '用它造訪您的活碼時，不計入造訪次數，也不佔用造訪上限和輪換。' },
    next: '您的活碼還在使用下面的網域，請逐一開啟：',
    complete: '您的網域都已標記，可以關閉此頁了。',
    kept: '標記只在目前的瀏覽器中有效，清除瀏覽資料後需要重新標記。',
    old: { title: '連結已失效', text: '標記連結一小時內有效，請在後台的「密碼與安全」中重新取得。' },
  },
  'en-US': {
    done: {
      title: 'Marked as your own device',
      text: 'When it opens your live codes, nothing is counted as a visit, and no visit of a limit and no turn is taken.',
    },
    next: 'Your live codes use these domains, too. Open each of them:',
    complete: 'All your domains are done. You can close this page.',
    kept: 'The mark is kept in this browser only. If you clear its data, mark the device again.',
    old: {
      title: 'Link expired',
      text: 'A link marks devices for one hour. Get a new one in the back office under “Password and security”.',
    },
  },
  'vi-VN': {
    done: {
      title: 'Đã đánh dấu là thiết bị của bạn',
      text: 'Khi thiết bị này mở mã động của bạn, hệ thống không tính lượt truy cập, không trừ số lượt và không đổi lượt luân phiên.',
    },
    next: 'Mã động của bạn còn dùng các tên miền sau. Hãy mở lần lượt:',
    complete: 'Đã đánh dấu trên mọi tên miền. Bạn có thể đóng trang này.',
    kept: 'Dấu chỉ có trong trình duyệt này. Nếu xóa dữ liệu duyệt web, hãy đánh dấu lại.',
    old: {
      title: 'Liên kết đã hết hạn',
      text: 'Liên kết có hiệu lực trong một giờ. Hãy lấy liên kết mới trong mục “Mật khẩu và bảo mật”.',
    },
  },
  'th-TH': {
    done: {
      title: 'ทำเครื่องหมายเป็นอุปกรณ์ของคุณแล้ว',
      text: 'เมื่ออุปกรณ์นี้เปิดโค้ดของคุณ ระบบจะไม่นับเป็นการเข้าชม ไม่ใช้จำนวนครั้ง และไม่ใช้ลำดับการหมุนเวียน',
    },
    next: 'โค้ดของคุณยังใช้โดเมนต่อไปนี้ โปรดเปิดทีละรายการ:',
    complete: 'ทำเครื่องหมายครบทุกโดเมนแล้ว ปิดหน้านี้ได้',
    kept: 'เครื่องหมายอยู่ในเบราว์เซอร์นี้เท่านั้น หากล้างข้อมูลการท่องเว็บ โปรดทำเครื่องหมายใหม่',
    old: { title: 'ลิงก์หมดอายุแล้ว', text: 'ลิงก์ใช้ได้หนึ่งชั่วโมง โปรดรับลิงก์ใหม่ใน “รหัสผ่านและความปลอดภัย” ของระบบหลังบ้าน' },
  },
  'ja-JP': {
    done: {
      title: '自分の端末として登録しました',
      text: 'この端末でライブコードを開いても、アクセス数に含まれず、回数や順番も消費しません。',
    },
    next: 'ライブコードは次のドメインも使っています。順に開いてください。',
    complete: 'すべてのドメインで登録が済みました。このページを閉じてください。',
    kept: '登録はこのブラウザーにだけ保存されます。閲覧データを消去した場合は、もう一度登録してください。',
    old: {
      title: 'リンクの有効期限切れ',
      text: 'リンクは1時間有効です。管理画面の「パスワードとセキュリティ」で新しいリンクを取得してください。',
    },
  },
};

const style =
  'main{padding:16px 0 4vh}ul{margin:16px 0;padding:0;list-style:none}li a{display:flex;align-items:center;min-height:48px;color:var(--accent);overflow-wrap:anywhere;border-bottom:1px solid var(--hair)}.soft{color:var(--muted)}';

export type OwnDeviceLook = { language: PageLanguage; site_title: string; color: string };
/** Where the device isn't marked yet. */
export type NextHost = { host: string; url: string };

const pageOf = ({ language, site_title, color }: OwnDeviceLook, status: number, title: string, body: string): Page =>
  buildPage({
    status,
    language,
    title: site_title ? `${title} · ${site_title}` : title,
    head: '<meta name=robots content=noindex>',
    style: pageStyle(color) + style,
    body: `${siteHeader(site_title)}<main><h1>${title}</h1>${body}</main>`,
  });

/** Says that this device is marked now, and where it may be marked next; without hosts that the link is not good any more. */
export function renderOwnDevice(look: OwnDeviceLook, hosts: readonly NextHost[] | undefined): Page {
  const { done, next, complete, kept, old } = texts[look.language];
  if (hosts === undefined) return pageOf(look, 410, old.title, `<p>${old.text}</p>`);
  const links = hosts.map(({ host, url }) => `<li><a href="${escapeHtml(url)}">${escapeHtml(host)}</a></li>`);
  const further = hosts.length > 0 ? `<p>${next}</p><ul>${links.join('')}</ul>` : `<p>${complete}</p>`;
  return pageOf(look, 200, done.title, `<p>${done.text}</p>${further}<p class=soft>${kept}</p>`);
}
