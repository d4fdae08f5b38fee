import type { TargetRule } from '../../contract/codes/targeting.ts';
import type { TargetKind } from '../../contract/enums.ts';
import type { RhythmName } from './rhythms.ts';

export type DemoTarget = {
  kind: TargetKind;
  content: string;
  name: string;
  threshold?: number;
  weight?: number;
  /** Hours until it expires. */
  hoursLeft?: number;
  rules?: TargetRule[];
};
export type DemoCode = {
  owner: 'zhangwei' | 'lina' | 'chenjie';
  file_name: string;
  name: string;
  remark: string;
  /** Visits on an average day. */
  daily: number;
  rhythm: RhythmName;
  /** Visitors from the owner's town, of all. */
  localShare: number;
  /** Visits by people who have been here before, of all. */
  returningShare: number;
  /** Days between two campaigns, each of which doubles the visits for a day and ebbs away. */
  campaignDays?: number;
  /** Days ago it was made. */
  age: number;
  rotation_mode: 1 | 2 | 3;
  restriction_visit?: 1 | 2;
  access_mode?: 1 | 2;
  open?: boolean;
  jump_type?: 1 | 2 | 3 | 4 | 5 | 6;
  targets: readonly DemoTarget[];
};

const page = (path: string) => `https://example.com/${path}`;
/** A group of the messenger, by a link as its QR codes hold; there is no group of this name. */
const group = (number: number, threshold: number): DemoTarget => ({
  kind: 'picture',
  content: `https://weixin.qq.com/g/demo-group-${number}`,
  name: `${number} 群`,
  threshold,
});

/** Twelve codes as three small businesses would have them. */
export const demoCodes: readonly DemoCode[] = [
  {
    owner: 'zhangwei',
    file_name: 'tea-spring',
    name: '春茶新品海报',
    remark: '门店海报、电梯广告',
    daily: 260,
    rhythm: 'street',
    localShare: 0.9,
    returningShare: 0.1,
    campaignDays: 23,
    age: 90,
    rotation_mode: 1,
    targets: [{ kind: 'url', content: page('tea/spring'), name: '商城活动页' }],
  },
  {
    owner: 'zhangwei',
    file_name: 'tea-group',
    name: '茶友交流群',
    remark: '满 200 人换下一个群',
    daily: 11,
    rhythm: 'evening',
    localShare: 0.62,
    returningShare: 0.12,
    age: 75,
    rotation_mode: 1,
    targets: [group(1, 200), group(2, 200), group(3, 200), group(4, 200), { ...group(5, 200), hoursLeft: 20 }, group(6, 200)],
  },
  {
    owner: 'zhangwei',
    file_name: 'tea-service',
    name: '售后客服',
    remark: '三位客服轮流',
    daily: 90,
    rhythm: 'service',
    localShare: 0.34,
    returningShare: 0.34,
    age: 88,
    rotation_mode: 3,
    targets: [
      { kind: 'url', content: page('service/1'), name: '客服小李' },
      { kind: 'url', content: page('service/2'), name: '客服小王' },
      { kind: 'url', content: page('service/3'), name: '客服小陈（晚班）', rules: [{ hours: [18, 19, 20, 21, 22, 23] }] },
    ],
  },
  {
    owner: 'zhangwei',
    file_name: 'tea-coupon',
    name: '到店优惠券',
    remark: '仅微信内可领',
    daily: 130,
    rhythm: 'street',
    localShare: 0.86,
    returningShare: 0.38,
    campaignDays: 14,
    age: 60,
    rotation_mode: 1,
    restriction_visit: 2,
    targets: [{ kind: 'url', content: page('coupon'), name: '领券页' }],
  },
  {
    owner: 'zhangwei',
    file_name: 'tea-story',
    name: '品牌故事',
    remark: '',
    daily: 35,
    rhythm: 'evening',
    localShare: 0.28,
    returningShare: 0.08,
    age: 82,
    rotation_mode: 1,
    jump_type: 3,
    targets: [
      {
        kind: 'text',
        content: '一片叶子的旅程\n\n清明前后，我们在海拔 800 米的茶园采下第一芽。\n当天摊青、杀青、揉捻、烘干，第二天就出现在您的杯中。',
        name: '故事',
      },
    ],
  },
  {
    owner: 'lina',
    file_name: 'edu-open',
    name: '公开课报名',
    remark: '地推单页',
    daily: 180,
    rhythm: 'lessons',
    localShare: 0.9,
    returningShare: 0.12,
    campaignDays: 28,
    age: 90,
    rotation_mode: 2,
    targets: [
      { kind: 'url', content: page('course/a'), name: 'A 版落地页', weight: 7 },
      { kind: 'url', content: page('course/b'), name: 'B 版落地页', weight: 3 },
    ],
  },
  {
    owner: 'lina',
    file_name: 'edu-parents',
    name: '家长答疑群',
    remark: '',
    daily: 7,
    rhythm: 'evening',
    localShare: 0.92,
    returningShare: 0.2,
    age: 45,
    rotation_mode: 1,
    targets: [group(8, 200), group(9, 200)],
  },
  {
    owner: 'lina',
    file_name: 'edu-material',
    name: '资料领取',
    remark: '印在教材封底，扫码才能进',
    daily: 75,
    rhythm: 'lessons',
    localShare: 0.46,
    returningShare: 0.3,
    age: 70,
    rotation_mode: 1,
    access_mode: 2,
    targets: [{ kind: 'url', content: page('material'), name: '网盘' }],
  },
  {
    owner: 'lina',
    file_name: 'edu-old',
    name: '去年活动（已停）',
    remark: '印刷品仍在外面，先关闭',
    daily: 6,
    rhythm: 'street',
    localShare: 0.8,
    returningShare: 0.05,
    age: 90,
    rotation_mode: 1,
    open: false,
    targets: [{ kind: 'url', content: page('old'), name: '旧页面' }],
  },
  {
    owner: 'chenjie',
    file_name: 'cafe-menu',
    name: '桌面点单',
    remark: '32 张桌贴',
    daily: 210,
    rhythm: 'tables',
    localShare: 0.95,
    returningShare: 0.62,
    age: 66,
    rotation_mode: 1,
    jump_type: 5,
    targets: [{ kind: 'url', content: page('menu'), name: '点单小程序' }],
  },
  {
    owner: 'chenjie',
    file_name: 'cafe-wifi',
    name: '店内 Wi-Fi',
    remark: '',
    daily: 55,
    rhythm: 'tables',
    localShare: 0.95,
    returningShare: 0.5,
    age: 66,
    rotation_mode: 1,
    targets: [{ kind: 'text', content: 'Wi-Fi：Cafe-Guest\n密码：latte-and-cake', name: 'Wi-Fi' }],
  },
  {
    owner: 'chenjie',
    file_name: 'cafe-member',
    name: '会员招募',
    remark: '',
    daily: 40,
    rhythm: 'tables',
    localShare: 0.93,
    returningShare: 0.06,
    age: 30,
    rotation_mode: 2,
    targets: [{ kind: 'url', content: page('member'), name: '会员页' }],
  },
];
