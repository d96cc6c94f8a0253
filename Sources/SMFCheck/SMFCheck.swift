// SPDX-License-Identifier: Apache-2.0
internal import CSMF
internal import Glibc

/// Prints the contents of the MIDI file on standard input as libsmf reads it, one fact per line.
///
/// It is a separate program because libsmf aborts the process on some damaged files. The lines are
/// `file FORMAT PPQN TRACKS`, `event TRACK TICK HEX`, `tempo TICK MICROSECONDS` and
/// `length SECONDS`; tracks are numbered from 0. The exit status is 1 if libsmf refused the file.
@main
struct SMFCheck {
  static func main() {
    let bytes = readInput()
    guard let sequence = unsafe smf_load_from_memory(bytes, Int32(clamping: bytes.count)) else {
      exit(1)
    }
    // Not deleted: libsmf's delete function takes minutes for a large file, and the process ends
    // here.
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
