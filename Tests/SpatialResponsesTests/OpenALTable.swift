// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Glibc

/// A head's responses in OpenAL Soft's file format `MinPHR02`, with one distance and the left ear
/// only; the right one mirrors it.
struct OpenALTable {
  /// The number of directions at each elevation from −90° to 90°.
  private let rows: [Int]
  private let taps: [[Float]]
  private let delays: [Int]

  init?(path: String) {
    guard let file = unsafe fopen(path, "rb") else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let size = unsafe fread(&bytes, 1, bytes.count, file)
    bytes.removeLast(bytes.count - size)
    // 48 000 Hz, 24 bits, one ear, one distance.
    guard bytes.count > 19, Array(bytes[..<8]) == Array("MinPHR02".utf8),
      Array(bytes[8..<14]) == [0x80, 0xBB, 0, 0, 1, 0], bytes[15] == 1
    else { return nil }
    let tapCount = Int(bytes[14])
    let end = 19 + Int(bytes[18])
    guard bytes.count > end else { return nil }
    rows = bytes[19..<end].map(Int.init)
    let count = rows.reduce(0, +)
    guard bytes.count == end + count * (3 * tapCount + 1) else { return nil }
    taps = (0..<count).map { number in
      (0..<tapCount).map { tap in
        let place = end + 3 * (number * tapCount + tap)
        let whole = Int32(bytes[place]) | Int32(bytes[place + 1]) << 8
        return Float(whole | Int32(Int8(bitPattern: bytes[place + 2])) << 16) / 8_388_608
      }
    }
    delays = bytes[(end + count * 3 * tapCount)...].map(Int.init)
  }

  /// The responses of the nearest direction, delayed by `lead` frames.
  func ears(azimuth: Double, elevation: Double, lead: Int) -> EarResponses {
    let row = Int(((elevation + 90) / 10).rounded())
    let column = Int((azimuth * Double(rows[row]) / 360).rounded()) % rows[row]
    let first = rows[..<row].reduce(0, +)
    let (left, right) = (first + column, first + (rows[row] - column) % rows[row])
    let silence = [Float](repeating: 0, count: lead)
    return EarResponses(
      left: silence + taps[left], right: silence + taps[right], leftDelay: Double(delays[left]),
      rightDelay: Double(delays[right]))
  }
}
