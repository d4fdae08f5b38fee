import { randomUUID } from 'node:crypto';
import type { Product } from './product.ts';

/** Somebody who has logged in. */
export type User = {
  account: string;
  password: string;
  /** Empty where nobody has logged in. */
  token: string;
  /** A call in his name, of which anything but 200 is a fault of the test. */
  call: <O = unknown>(path: string, input?: object) => Promise<O>;
};

/** Letters and digits that nothing else of the run has in its name: tests share a product, and are tried again in it. */
export const unique = (): string => randomUUID().slice(0, 8);

/** One answered call. @param token of whom; without it a public one */
export async function post<O>(backOffice: string, path: string, input: object | FormData, token?: string): Promise<O> {
  const isForm = input instanceof FormData;
  const answer = await fetch(`${backOffice}/api/${path}`, {
    method: 'POST',
    headers: { ...(!isForm && { 'content-type': 'application/json' }), ...(token && { authorization: `Bearer ${token}` }) },
    body: isForm ? input : JSON.stringify(input),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as O;
}

/** Logs somebody in by the call alone. How people log in is a journey of its own. */
export async function userOf({ backOffice }: Product, account: string, password: string): Promise<User> {
  const { token } = await post<{ token: string }>(backOffice, 'admin/login', { account, password });
  return { account, password, token, call: (path, input = {}) => post(backOffice, path, input, token) };
}

/** Who has not logged in: his calls are public ones. */
export const somebody = ({ backOffice }: Product): User => ({
  account: '',
  password: '',
  token: '',
  call: (path, input = {}) => post(backOffice, path, input),
});

/** Adds a customer of whom nothing else knows. @param fields what differs, such as `role_id` */
export async function addUser(product: Product, admin: User, fields: object = {}): Promise<User> {
  const account = `j${unique()}`;
  const password = 'journey2password';
  await admin.call('user_list/add', { account, password, name: account, ...fields });
  return userOf(product, account, password);
}

/** Adds an administrator who may do what the first one may. */
export async function addAdministrator(product: Product, admin: User): Promise<User> {
  const { content } = await admin.call<{ content: { account: string; role_id: number }[] }>('administrators/inquire', { search: 'admin' });
  const role_id = content.find(({ account }) => account === 'admin')?.role_id;
  const account = `a${unique()}`;
  const password = 'journey2password';
  await admin.call('administrators/add', { account, password, name: account, role_id });
  return userOf(product, account, password);
}
