import { expect, test } from "vitest";
import { checksumOf, ReleaseServer } from "./releases.ts";

const URL = "https://releases.example/v2";

test("the checksum of a binary is the SHA-256 of its name", () => {
  expect(checksumOf("v2")).toBe("fb04dcb6970e4c3d1873de51fd5a50d7bb46b3383113602665c350ec40b5f990");
});

test("the checksum parameter is not part of an address, other parameters are", () => {
  const server = new ReleaseServer();
  server.set(`${URL}?os=linux&checksum=sha256:00`, { binary: "v2", serves: "binary" });
  expect(server.get(`${URL}?checksum=sha256:11&os=linux`)?.body).toBe("v2");
  expect(server.get(URL)).toBeUndefined();
});

test("an address that ends in .json lists where the binary is, with its checksum", () => {
  const server = new ReleaseServer();
  server.set(`${URL}.json`, { binary: "v2", serves: "binary" });
  expect(server.get(`${URL}.json`)?.body).toBe('{"binaries":{}}');
  server.set(URL, { binary: "v2", serves: "binary" });
  expect(server.get(`${URL}.json`)?.body).toBe(
    `{"binaries":{"any":"${URL}?checksum=sha256:${checksumOf("v2")}"}}`,
  );
});

test("what is set again replaces what was there", () => {
  const server = new ReleaseServer();
  server.set(URL, { binary: "v2", serves: "missing" });
  expect(server.get(URL)).toBeUndefined();
  server.set(URL, { binary: "v2", serves: "empty" });
  expect(server.get(URL)?.body).toBe("");
});
