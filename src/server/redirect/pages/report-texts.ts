import type { ReportReason } from '../../../contract/enums.ts';
import type { PageLanguage } from './texts.ts';

/** Why a form comes back instead of being taken. */
export type ReportFault = 'no_reason' | 'old_form';

type ReportTexts = {
  title: string;
  lead: string;
  reason: string;
  reasons: Record<ReportReason, string>;
  text: string;
  text_help: string;
  send: string;
  faults: Record<ReportFault, string>;
  thanks: { title: string; text: string };
  too_many: { title: string; text: string };
};

/** The words of the page on which a visitor reports a code. */
export const reportTexts: Record<PageLanguage, ReportTexts> = {
  'zh-CN': {
    title: '举报这个二维码',
    lead: '告诉我们哪里有问题，平台会查看并处理。发布者看不到是谁举报的。',
    reason: '举报原因',
    reasons: {
      fraud: '诈骗、骗钱或冒充他人',
      gambling: '赌博',
      pornography: '色情低俗',
      infringement: '侵犯版权或隐私',
      malware: '病毒或恶意软件',
      other: '其他问题',
    },
    text: '补充说明（可不填）',
    text_help: '最多 500 字',
    send: '提交举报',
    faults: { no_reason: '请选择举报原因。', old_form: '页面打开太久了，请再提交一次。' },
    thanks: { title: '已收到举报', text: '谢谢您。平台会尽快查看。' },
    too_many: { title: '举报太频繁', text: '您的网络刚刚已提交多次举报，请稍后再试。' },
  },
  'zh-TW': {
    title: '檢舉這個 QR 碼',
    lead: '告訴我們哪裡有問題，平台會查看並處理。發布者看不到是誰檢舉的。',
    reason: '檢舉原因',
    reasons: {
      fraud: '詐騙、騙錢或冒充他人',
      gambling: '賭博',
      pornography: '色情低俗',
      infringement: '侵犯版權或隱私',
      malware: '病毒或惡意軟體',
      other: '其他問題',
    },
    text: '補充說明（可不填）',
    text_help: '最多 500 字',
    send: '送出檢舉',
    faults: { no_reason: '請選擇檢舉原因。', old_form: '頁面開啟太久了，請再送出一次。' },
    thanks: { title: '已收到檢舉', text: '謝謝您。平台會盡快查看。' },
    too_many: { title: '檢舉太頻繁', text: '您的網路剛剛已送出多次檢舉，請稍後再試。' },
  },
  'en-US': {
    title: 'Report this code',
    lead: 'Tell us what is wrong. The platform will look at it. The publisher is not told who reported it.',
    reason: 'Reason',
    reasons: {
      fraud: 'Fraud, scam or impersonation',
      gambling: 'Gambling',
      pornography: 'Sexual content',
      infringement: 'Copyright or privacy violation',
      malware: 'Malware',
      other: 'Something else',
    },
    text: 'Details (optional)',
    text_help: 'Up to 500 characters',
    send: 'Send report',
    faults: { no_reason: 'Please choose a reason.', old_form: 'This page was open for too long. Please send it again.' },
    thanks: { title: 'Report received', text: 'Thank you. The platform will look at it soon.' },
    too_many: { title: 'Too many reports', text: 'Several reports have just been sent from your network. Please try again later.' },
  },
  'vi-VN': {
    title: 'Báo cáo mã QR này',
    lead: 'Hãy cho biết vấn đề. Nền tảng sẽ xem xét. Người phát hành không biết ai đã báo cáo.',
    reason: 'Lý do',
    reasons: {
      fraud: 'Lừa đảo hoặc mạo danh',
      gambling: 'Cờ bạc',
      pornography: 'Nội dung khiêu dâm',
      infringement: 'Vi phạm bản quyền hoặc quyền riêng tư',
      malware: 'Phần mềm độc hại',
      other: 'Vấn đề khác',
    },
    text: 'Chi tiết (không bắt buộc)',
    text_help: 'Tối đa 500 ký tự',
    send: 'Gửi báo cáo',
    faults: { no_reason: 'Hãy chọn lý do.', old_form: 'Trang đã mở quá lâu. Hãy gửi lại một lần nữa.' },
    thanks: { title: 'Đã nhận báo cáo', text: 'Cảm ơn bạn. Nền tảng sẽ sớm xem xét.' },
    too_many: { title: 'Quá nhiều báo cáo', text: 'Mạng của bạn vừa gửi nhiều báo cáo. Hãy thử lại sau.' },
  },
  'th-TH': {
    title: 'รายงานคิวอาร์โค้ดนี้',
    lead: 'บอกเราว่ามีปัญหาอะไร แพลตฟอร์มจะตรวจสอบ ผู้เผยแพร่จะไม่ทราบว่าใครเป็นผู้รายงาน',
    reason: 'เหตุผล',
    reasons: {
      fraud: 'หลอกลวงหรือแอบอ้างเป็นผู้อื่น',
      gambling: 'การพนัน',
      pornography: 'เนื้อหาลามก',
      infringement: 'ละเมิดลิขสิทธิ์หรือความเป็นส่วนตัว',
      malware: 'มัลแวร์',
      other: 'ปัญหาอื่น',
    },
    text: 'รายละเอียด (ไม่บังคับ)',
    text_help: 'ไม่เกิน 500 ตัวอักษร',
    send: 'ส่งรายงาน',
    faults: { no_reason: 'โปรดเลือกเหตุผล', old_form: 'หน้านี้เปิดไว้นานเกินไป โปรดส่งอีกครั้ง' },
    thanks: { title: 'ได้รับรายงานแล้ว', text: 'ขอบคุณ แพลตฟอร์มจะตรวจสอบโดยเร็ว' },
    too_many: { title: 'รายงานบ่อยเกินไป', text: 'เครือข่ายของคุณเพิ่งส่งรายงานหลายครั้ง โปรดลองใหม่ภายหลัง' },
  },
  'ja-JP': {
    title: 'このQRコードを報告',
    lead: '問題点をお知らせください。運営者が確認します。報告者が発行者に知らされることはありません。',
    reason: '理由',
    reasons: {
      fraud: '詐欺・なりすまし',
      gambling: 'ギャンブル',
      pornography: 'わいせつな内容',
      infringement: '著作権・プライバシーの侵害',
      malware: 'マルウェア',
      other: 'その他',
    },
    text: '詳細（任意）',
    text_help: '500文字まで',
    send: '報告を送信',
    faults: { no_reason: '理由を選んでください。', old_form: 'ページを開いてから時間がたちました。もう一度送信してください。' },
    thanks: { title: '報告を受け付けました', text: 'ありがとうございます。まもなく運営者が確認します。' },
    too_many: { title: '報告が多すぎます', text: 'お使いのネットワークから続けて報告がありました。しばらくしてからお試しください。' },
  },
};
