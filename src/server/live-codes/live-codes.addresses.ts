export { qrImageUrl, visitUrl } from '../kit/visits/visit-address.ts';

/** Where the back office serves an uploaded picture. */
export const pictureUrl = (name: string): string => `/file/${name}`;

/** The share page of a code, relative to the back office; its owner adds the password. */
export const shareUrl = (file_name: string): string => `/#/share_access?name=${file_name}`;

/** The page of a code, relative to the back office: in messages it is a link. */
export const codePageUrl = (id: number): string => `/#/customer/qr_code/${id}`;
