// SPDX-License-Identifier: Apache-2.0

/// Finds the index of an MP4 file without reading the other boxes.
enum MP4Index {
  /// The maximum size of an index, which has an entry for each packet of more than a day.
  private static let byteLimit: Int64 = 1 << 27
  private static let boxLimit = 10_000

  /// The content of the box `moov`; nil if the file does not contain it.
  static func content(of stream: FileStream) -> [UInt8]? {
    place(in: stream).flatMap { stream.bytes(at: $0.offset, $0.byteCount) }
  }

  /// The position and size of the content of the box `moov`; nil if the file does not contain it.
  static func place(in stream: FileStream) -> (offset: Int64, byteCount: Int)? {
    let length = stream.length
    var place: Int64 = 0
    for _ in 0..<boxLimit {
      guard place <= length - 8,
        let head = stream.bytes(at: place, 16) ?? stream.bytes(at: place, 8),
        var size = head[...].number(0, 4).map(Int64.init)
      else { return nil }
      var headSize: Int64 = 8
      if size == 1 {
        guard let long = head[...].number(8, 8) else { return nil }
        (size, headSize) = (Int64(long), 16)
      } else if size == 0 {
        size = length - place
      }
      guard size >= headSize, size < 1 << 60 else { return nil }
      if MP4Box.latin(head[4..<8]) == "moov" {
        guard size <= min(byteLimit, length - place) else { return nil }
        return (place + headSize, Int(size - headSize))
      }
      place += size
    }
    return nil
  }
}
