// SPDX-License-Identifier: Apache-2.0
import Glibc
import LV2Units

// Tries the plug-ins of bundles, as `LV2Discovery` asks a program to.
do {
  try LV2Discovery.answer(Array(CommandLine.arguments.dropFirst())) { line in
    let bytes = Array((line + "\n").utf8)
    _ = unsafe write(1, bytes, bytes.count)
  }
} catch {
  print(error)
  exit(1)
}
