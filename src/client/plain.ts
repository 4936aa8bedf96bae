/**
 * A generated message as plain data: what crosses a MessagePort and what the page keeps. Built by
 * hand and read as it is, so that no protobuf code is needed on the page.
 */
export type Plain<T> = T extends Uint8Array
  ? T
  : T extends readonly (infer E)[]
    ? readonly Plain<E>[]
    : T extends object
      ? { readonly [K in keyof T as K extends "$typeName" | "$unknown" ? never : K]: Plain<T[K]> }
      : T;
