import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtInTexts } from '../server/kit/messages/messages.ts';

/**
 * Every text that is promised to the letter: where its words stand, what they are in Chinese, and in English where the promise is English.
 * Each stands alone; what there is to say besides is a second line of its own.
 */
const literals: readonly (readonly [key: string, chinese: string, english?: string])[] = [
  // Registration.
  ['errors.field.account_too_short', '用户名需要大于5个字符'],
  ['errors.field.password_too_short', '密码需要大于6个字符'],
  ['errors.field.password_letters_and_digits', '密码只能是英文+数字的组合'],
  // Login.
  ['login.account_required', '请输入账号', 'Please input account'],
  ['login.account_placeholder', '请输入用户名', 'Please input Username'],
  ['errors.field.login_err_02', '请输入用户名', 'Please input Username'],
  ['errors.field.login_err_04', '两次输入的密码不一致', 'Two passwords are inconsistent'],
  // Change password.
  ['errors.field.passwords_differ', '两次输入的密码不一致，请重新输入', 'The passwords entered twice are inconsistent, please try again'],
  // Access-log query.
  ['errors.field.access_log_time_required', '请输入要搜索的时间'],
  ['errors.field.access_log_ip_required', '请输入要查询的IP地址'],
  ['errors.field.access_log_ip_invalid', 'ip地址不合法，请重新输入'],
  // Other rules.
  ['errors.field.role_name_required', '请填写角色名称', 'Fill role name'],
  ['errors.field.node_name_required', '节点名称不能为空', 'Node name cannot be empty'],
  ['errors.upload.limit_exceeded', '文件上传超出限制', 'File upload limit exceeded'],
  ['errors.input.invalid', '参数不合法', 'The parameter is invalid'],
  // Errors.
  ['socket.unsupported', '抱歉您的浏览器不支持websocket,请更换浏览器再次尝试'],
  [
    'common.not_logged_in.content',
    '您还没有登录，无法进行此操作，是否现在登录？',
    'You have not logged in yet. This operation cannot be performed. Do you want to log in now?',
  ],
  ['errors.login.wrong', '登录失败', 'Login failed'],
  ['errors.login.disabled', '登录失败', 'Login failed'],
  ['errors.login.second_factor_wrong', '登录失败', 'Login failed'],
  ['common.requesting', '正在请求，请稍候...', 'Requesting, please wait...'],
  ['common.load_failed', '加载失败...', 'Failed to load...'],
  ['common.no_data', '暂无数据', 'No data'],
  ['errors.internal', '资源错误，请联系管理员', 'Resource error, please contact administrator'],
  ['errors.field.conversion_failed', '转换失败', 'Conversion failed'],
  ['log.conversion_failed', '转换失败', 'Conversion failed'],
  ['errors.share.not_available', '页面出错，请联系管理员'],
  // Success.
  ['common.success', '操作成功', 'Successful operation'],
  ['common.copied', '复制成功', 'Copied successfully'],
];

for (const [key, chinese, english] of literals) {
  test(`${key} says ${chinese}`, () => {
    expect(builtInTexts('zh-CN').get(key)).toBe(chinese);
    if (english !== undefined) expect(builtInTexts('en-US').get(key)).toBe(english);
  });
}

const folder = new URL('../', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|(^|\/)testing/.test(path))
  .map((path) => readFileSync(new URL(path, folder), 'utf8'));

/** A fault is named in the sources by its code alone, the words around a screen by the whole key. */
const namesOf = (key: string): string[] =>
  [key, key.replace(/^errors\.(field\.)?/, '')].flatMap((name) => [`'${name}'`, `"${name}"`, `\`${name}\``]);

test('every one of them is shown somewhere', () => {
  const isNamed = (key: string) => sources.some((source) => namesOf(key).some((name) => source.includes(name)));
  expect(literals.map(([key]) => key).filter((key) => !isNamed(key))).toEqual([]);
});

test('the maintenance page asks to watch the group messages and promises a notification', () => {
  expect(builtInTexts('zh-CN').get('maintain.title')).toContain('维护');
  expect(builtInTexts('zh-CN').get('maintain.watch')).toContain('群消息');
  expect(builtInTexts('zh-CN').get('maintain.watch')).toContain('通知');
});

test.each([
  ['zh-CN', /[「」『』]|\\"/],
  ['zh-TW', /[“”‘’]|\\"/],
])('%s quotes in the way of its readers', (language, others) => {
  const own = new URL(`./${language}/`, import.meta.url);
  const texts = readdirSync(own, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.\w+$/.test(path))
    .flatMap((file) => readFileSync(new URL(file, own), 'utf8').split('\n'));
  // A template is JSON, whose quotes are part of it.
  expect(texts.filter((text) => others.test(text) && !text.includes('"template_help"'))).toEqual([]);
});
