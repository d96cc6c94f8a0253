// SPDX-License-Identifier: Apache-2.0
import Glibc
import SoundfontGenerator

guard CommandLine.arguments.count == 2, let path = CommandLine.arguments.last else {
  print("usage: downbeat-soundfont OUTPUT.sf2")
  exit(2)
}

let bytes = DownbeatFont.file()

guard let output = unsafe fopen(path, "wb") else {
  print("\(path): cannot be written; name a file in a directory that exists")
  exit(1)
}
let written = unsafe fwrite(bytes, 1, bytes.count, output)
guard unsafe fclose(output) == 0, written == bytes.count else {
  print("\(path): only partly written; is the disk full?")
  exit(1)
}
