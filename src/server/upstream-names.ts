/**
 * The services and types of the chain under upstream's names, derived from the chain's own
 * descriptors.
 */
import { clone, createFileRegistry, type DescFile, type FileRegistry } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";

/** Files with all of their imports, each after its own imports. */
export function withImports(files: readonly DescFile[]): readonly DescFile[] {
  const seen = new Set<DescFile>();
  const add = (file: DescFile): void => {
    if (seen.has(file)) return;
    file.dependencies.forEach(add);
    seen.add(file);
  };
  files.forEach(add);
  return [...seen];
}

/**
 * The same files with all names changed. Names in options stay: nothing reads those of the copies.
 */
export function renamedFiles(
  files: readonly DescFile[],
  rename: (name: string) => string,
): FileRegistry {
  const file = withImports(files).map(({ proto }) => renamedFile(proto, rename));
  // As in a message of its schema.
  return createFileRegistry({ $typeName: "google.protobuf.FileDescriptorSet", file });
}

function renamedFile(
  original: FileDescriptorProto,
  rename: (name: string) => string,
): FileDescriptorProto {
  const file = clone(FileDescriptorProtoSchema, original);
  // Type names start with a dot.
  const renameType = (name: string): string =>
    name.startsWith(".") ? `.${rename(name.slice(1))}` : rename(name);
  const inFields = (fields: readonly FieldDescriptorProto[]): void => {
    for (const field of fields) {
      // An empty name means that there is none.
      if (field.typeName !== "") field.typeName = renameType(field.typeName);
      if (field.extendee !== "") field.extendee = renameType(field.extendee);
    }
  };
  const inMessage = (message: DescriptorProto): void => {
    inFields(message.field);
    inFields(message.extension);
    message.nestedType.forEach(inMessage);
  };
  file.name = rename(file.name);
  file.package = rename(`${file.package}.`).slice(0, -1);
  file.dependency = file.dependency.map(rename);
  file.messageType.forEach(inMessage);
  inFields(file.extension);
  for (const method of file.service.flatMap((service) => service.method)) {
    method.inputType = renameType(method.inputType);
    method.outputType = renameType(method.outputType);
  }
  return file;
}
