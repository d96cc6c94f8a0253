// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Changes the time unit of an MP4 file's movie to frames, so that its edit list is exact to the
/// frame.
///
/// Source: ISO/IEC 14496-12, 8.2.2 (`mvhd`), 8.3.2 (`tkhd`), 8.6.6 (`elst`).
enum MP4MovieUnits {
  /// Overwrites the units, and the durations in these units, of a file with one track and at most
  /// one edit.
  ///
  /// - Parameters:
  ///   - stream: A file that can be read and written.
  ///   - hertz: Units per second.
  ///   - frameCount: The length of the sound.
  /// - Returns: True if all fields were found and written. A length of 2³² frames or more is not
  ///   changed if its field has 32 bits.
  static func set(in stream: FileStream, hertz: Int, frameCount: Int64) -> Bool {
    guard let place = MP4Index.place(in: stream),
      var bytes = stream.bytes(at: place.offset, place.byteCount)
    else { return false }
    let movie = MP4Box(name: "moov", content: bytes[...])
    guard let header = movie.child("mvhd")?.content, let track = movie.child("trak"),
      let trackHeader = track.child("tkhd")?.content
    else { return false }
    var lengths = [
      field(of: header, short: 16, long: 24), field(of: trackHeader, short: 20, long: 28),
    ]
    if let edits = track.child("edts", "elst")?.content {
      guard edits.number(4, 4) == 1 else { return false }
      lengths.append(field(of: edits, short: 8, long: 8))
    }
    let units = header.startIndex + (isLong(header) ? 20 : 12)
    guard let last = lengths.map(\.upperBound).max(), last <= bytes.count, units + 4 <= last else {
      return false
    }
    guard lengths.allSatisfy({ $0.count == 8 }) || frameCount < 1 << 32 else { return true }
    put(Int64(hertz), in: &bytes, at: units..<units + 4)
    for length in lengths { put(frameCount, in: &bytes, at: length) }
    guard stream.seek(place.offset, SEEK_SET) == place.offset else { return false }
    return unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe stream.write(base, buffer.count) == buffer.count
    }
  }

  /// True if the times in a box have eight bytes.
  private static func isLong(_ content: ArraySlice<UInt8>) -> Bool { content.first == 1 }

  /// The position of a duration, which is at `short` if it has four bytes and at `long` if it has
  /// eight.
  private static func field(of content: ArraySlice<UInt8>, short: Int, long: Int) -> Range<Int> {
    let start = content.startIndex + (isLong(content) ? long : short)
    return start..<start + (isLong(content) ? 8 : 4)
  }

  private static func put(_ number: Int64, in bytes: inout [UInt8], at place: Range<Int>) {
    var rest = number
    for index in place.reversed() {
      bytes[index] = UInt8(truncatingIfNeeded: rest)
      rest >>= 8
    }
  }
}
