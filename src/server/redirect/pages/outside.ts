import { escapeHtml, isAllowedJumpUrl, pageAddress } from './escape.ts';
import { buildPage, copyButton, copyScript, type Page, pageStyle, siteHeader } from './page.ts';
import { type PageLanguage, texts } from './texts.ts';

type OutsideOptions = {
  language: PageLanguage;
  site_title: string;
  color: string;
  /** The operator's own words. */
  title: string;
  text: string;
  /** A path on this host or a web address. */
  picture_url: string | null;
  /** The address to open elsewhere. */
  link: string;
};

/** The title where the operator gave none, and how to leave the in-app browser, in order. */
const words: Record<PageLanguage, { title: string; steps: readonly [string, string]; or_copy: string }> = {
  'zh-CN': {
    title: '请在浏览器中打开',
    steps: ['点右上角的“···”', '选择“在浏览器打开”'],
    or_copy: '也可以复制下面的链接，粘贴到浏览器里打开：',
  },
  'zh-TW': {
    title: '請在瀏覽器中開啟',
    steps: ['點右上角的「···」', '選擇「在瀏覽器開啟」'],
    or_copy: '也可以複製下面的連結，貼到瀏覽器裡開啟：',
  },
  'en-US': {
    title: 'Open this page in your browser',
    steps: ['Tap ··· in the top right corner', 'Choose “Open in browser”'],
    or_copy: 'Or copy the link below and paste it into your browser:',
  },
  'vi-VN': {
    title: 'Hãy mở trang này bằng trình duyệt',
    steps: ['Chạm vào ··· ở góc trên bên phải', 'Chọn “Mở trong trình duyệt”'],
    or_copy: 'Hoặc sao chép liên kết dưới đây rồi dán vào trình duyệt:',
  },
  'th-TH': {
    title: 'โปรดเปิดหน้านี้ในเบราว์เซอร์',
    steps: ['แตะ ··· ที่มุมขวาบน', 'เลือก “เปิดในเบราว์เซอร์”'],
    or_copy: 'หรือคัดลอกลิงก์ด้านล่างไปวางในเบราว์เซอร์',
  },
  'ja-JP': {
    title: 'ブラウザで開いてください',
    steps: ['右上の「···」をタップします', '「ブラウザで開く」を選びます'],
    or_copy: '下のリンクをコピーし、ブラウザに貼り付けて開くこともできます。',
  },
};

const style =
  'main{padding-bottom:4vh;text-align:center}.lead{white-space:pre-wrap}.picture{display:block;width:100%;height:auto;max-height:48vh;margin:20px auto 0;border-radius:12px;background:#fff;object-fit:contain}ol{margin:22px 0 0;padding:0;list-style:none;text-align:left;counter-reset:s}li{position:relative;margin:12px 0 0;padding-left:42px;counter-increment:s}li:before{content:counter(s);position:absolute;left:0;top:1px;width:28px;height:28px;border-radius:14px;background:var(--button);color:var(--ink);font-weight:700;line-height:28px;text-align:center}.or{margin-top:22px;font-size:17px;color:var(--muted);text-align:left}.link{margin:10px 0 0;padding:14px 16px;border:1px solid var(--hair);border-radius:12px;background:var(--sheet);font-size:18px;text-align:left;-webkit-user-select:all;user-select:all}';

/** A page of the operator's own words for those whose in-app browser can't open the target: how to open the link outside of it. */
export const renderOutside = ({ language, site_title, color, title, text, picture_url, link }: OutsideOptions): Page => {
  const { steps, or_copy, title: usual } = words[language];
  const picture = picture_url === null ? null : pageAddress(picture_url);
  const address = isAllowedJumpUrl(link, []) ? link : '';
  const parts = [
    siteHeader(site_title),
    `<main><h1 dir=auto>${escapeHtml(title || usual)}</h1>`,
    text ? `<p class=lead dir=auto>${escapeHtml(text)}</p>` : '',
    picture ? `<img class=picture src="${escapeHtml(picture)}" alt="">` : '',
    `<ol>${steps.map((step) => `<li>${step}`).join('')}</ol>`,
    address ? `<p class=or>${or_copy}</p><p class=link id=copied dir=ltr>${escapeHtml(address)}</p>` : '',
    address ? copyButton(texts[language].copy_link, language) : '',
    '</main>',
  ];
  return buildPage({
    status: 200,
    language,
    title: title || usual,
    head: '<meta name=robots content=noindex>',
    style: pageStyle(color) + style,
    body: parts.join(''),
    ...(picture ? { image_source: "'self'" } : {}),
    ...(address ? { script: copyScript } : {}),
  });
};
