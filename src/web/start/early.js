// Runs before any code of the app is there: shows the still frame in the right colours, asks what every page asks first, and loads the code
// of the screen that the address names at once instead of one part after the other. The build replaces the table of parts.
(() => {
  const table = __PARTS__;
  const read = (key) => {
    try {
      return localStorage.getItem(`livecode.${key}`);
    } catch {
      return null;
    }
  };
  const root = document.documentElement;
  const theme = read('theme');
  const isDark = theme === '2' || (theme !== '1' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = isDark ? 'dark' : 'light';

  const token = read('token');
  const [, area = '', screen = ''] = location.hash.slice(1).split(/[/?]/);
  const isPublic = /^(admin_register|maintain|document|share_access|access_log)$/.test(area);
  const isLogin = area === 'admin_login' || (!isPublic && !token);
  root.dataset.start = isLogin ? 'login' : isPublic ? 'page' : 'office';
  if (read('menu') === 'collapsed') root.dataset.menu = 'collapsed';

  const language = read('language') || 'zh-CN';
  const headers = { 'Content-Type': 'application/json', 'Accept-Language': language };
  if (token) headers.Authorization = `Bearer ${token}`;
  const answers = {};
  const ask = (call) => {
    // What fails here is asked again by the app, which says what is wrong.
    answers[`/api/${call}`] = fetch(`/api/${call}`, { method: 'POST', headers, body: '{}', credentials: 'omit' }).catch(() => undefined);
  };
  ask('website/info');
  if (token && !isLogin && !isPublic) for (const call of ['admin/get_info', 'admin/get_token_menu', 'preference/inquire']) ask(call);
  window.livecodeEarly = { token, language, answers };

  const base = table.languages[language] ? language : read('language_base') || 'zh-CN';
  const words = table.languages[base] ?? { start: [], office: [], screens: [] };
  const path = screen || 'today_statistics';
  const screenParts = [...(table.screens[path] ?? []), ...(table.alone.includes(path) ? [] : words.screens)];
  const parts = isLogin
    ? [...table.login, ...words.start]
    : [...words.start, ...words.office, ...table.office, ...(isPublic ? [] : screenParts)];
  for (const part of new Set(parts)) {
    const link = document.createElement('link');
    const href = table.files[part];
    link.rel = href.endsWith('.css') ? 'preload' : 'modulepreload';
    if (link.rel === 'preload') link.as = 'style';
    link.crossOrigin = '';
    link.href = href;
    document.head.append(link);
  }
})();
