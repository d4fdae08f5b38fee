import type { Editor } from '@tiptap/react';
import { useRef, useState } from 'react';
import { uploadFile } from '../calls/api.ts';
import { failureText } from '../calls/failure.ts';

export type PictureUpload = {
  /** Share sent of the picture that is on its way, 0–1; null without one. */
  share: number | null;
  failure: string | null;
  /** Uploads pictures one after the other and puts them where the cursor is. */
  insert: (files: readonly File[]) => Promise<void>;
};

export const picturesIn = (files: FileList | null | undefined): File[] =>
  [...(files ?? [])].filter((file) => file.type.startsWith('image/'));

export function usePictureUpload(editorOf: () => Editor | null): PictureUpload {
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const queue = useRef(Promise.resolve());

  async function insertOne(file: File) {
    setShare(0);
    setFailure(null);
    try {
      const { url, width, height } = await uploadFile(file, { onProgress: setShare });
      editorOf()?.chain().focus().setImage({ src: url, width, height }).run();
    } catch (error) {
      setFailure(failureText(error));
    } finally {
      setShare(null);
    }
  }

  function insert(files: readonly File[]) {
    for (const file of files) queue.current = queue.current.then(() => insertOne(file));
    return queue.current;
  }
  return { share, failure, insert };
}
