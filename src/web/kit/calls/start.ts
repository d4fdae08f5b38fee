import { type Api, type Endpoint, type Question, questionOf } from './request.ts';

type Of<G extends keyof Api, A extends keyof Api[G]> = Api[G][A] extends Endpoint<infer I, infer O> ? Question<I, O> : never;

/** A call that the page makes before the contract's code is there. `start.test.ts` holds that none of them writes. */
const question = <G extends keyof Api & string, A extends keyof Api[G] & string>(group: G, action: A) =>
  questionOf(group, action, { writes: false }) as unknown as Of<G, A>;

/** The calls of the login and of the frame around all screens. */
export const start = {
  website_info: question('website', 'info'),
  login: question('admin', 'login'),
  logout: question('admin', 'logout'),
  get_info: question('admin', 'get_info'),
  get_token_menu: question('admin', 'get_token_menu'),
  preferences: question('preference', 'inquire'),
  language_texts: question('language_list', 'texts'),
};
