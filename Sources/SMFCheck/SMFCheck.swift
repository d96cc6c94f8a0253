// SPDX-License-Identifier: Apache-2.0
internal import CSMF
internal import Glibc

/// Prints what libsmf reads in the file on standard input, one fact a line.
///
/// It is a program of its own because libsmf aborts the process on some damaged files. The lines:
/// `file FORMAT PPQN TRACKS`, `event TRACK TICK HEX`, `tempo TICK MICROSECONDS`,
/// `length SECONDS`; tracks count from 0. Exit status 1: libsmf refused the file.
@main
struct SMFCheck {
  static func main() {
    let bytes = readInput()
    guard let sequence = unsafe smf_load_from_memory(bytes, Int32(clamping: bytes.count)) else {
      exit(1)
    }
    // Never deleted: libsmf's delete takes minutes on a large file, and the process ends here.
    var listing = unsafe Listing(sequence)
    listing.printAll()
    exit(0)
  }

  private static func readInput() -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe read(STDIN_FILENO, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}
