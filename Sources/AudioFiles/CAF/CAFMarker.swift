// SPDX-License-Identifier: Apache-2.0

/// A marker of a Core Audio Format file.
///
/// Source: Apple, Core Audio Format Specification 1.0, "Marker Chunk".
struct CAFMarker {
  static let byteCount = 28

  /// The kind; 0 is an ordinary marker.
  var kind: UInt32 = 0
  /// The frame; nil if only a time code states it.
  var frame: Int64?
  /// The number of its name in the strings chunk.
  var identifier: UInt32
  /// Hours, minutes, seconds, frames and samples; nil if none is stated.
  var time: Time?

  init(frame: Int64, identifier: UInt32, kind: UInt32 = 0) {
    (self.frame, self.identifier, self.kind) = (frame, identifier, kind)
  }

  /// Reads a marker; nil if it exceeds the content.
  init?(_ content: ArraySlice<UInt8>, _ place: Int) {
    guard let words = content.dropFirst(place).words(0, 7),
      let position = content.double(place + 4)
    else { return nil }
    (kind, identifier) = (words[0], words[3])
    // Positions of 2⁵⁰ frames or more are ignored as damage.
    if position.isFinite, position >= 0, position < Double(1 << 50) {
      frame = Int64(position.rounded())
    }
    // All bits are set if a time code is not stated.
    if words[4] != .max {
      let parts = [24, 16, 8, 0].map { Int(Int8(truncatingIfNeeded: words[4] >> UInt32($0))) }
      time = Time(parts: parts, offset: Int(words[5]))
    }
  }

  /// A time code.
  struct Time {
    let parts: [Int]
    let offset: Int

    /// The kinds of time code: the frames counted in a second, the frames that elapse in a second,
    /// and the frame numbers dropped in a minute.
    private static let rates: [(counted: Int, hertz: Double, dropped: Int)] = [
      (24, 24, 0), (25, 25, 0), (30, 30_000 / 1001, 2), (30, 30, 0), (30, 30_000 / 1001, 0),
      (30, 30_000 / 1001, 2), (60, 60, 0), (60, 60_000 / 1001, 0), (60, 60_000 / 1001, 4),
      (60, 60_000 / 1001, 4), (50, 50, 0), (24, 24_000 / 1001, 0),
    ]

    /// The frame of sound; nil for an unknown kind of time code.
    func frame(_ type: Int, _ hertz: Double) -> Int64? {
      guard (1...Self.rates.count).contains(type), parts.allSatisfy({ $0 >= 0 }) else { return nil }
      let (rate, minutes) = (Self.rates[type - 1], parts[0] * 60 + parts[1])
      let count =
        (minutes * 60 + parts[2]) * rate.counted + parts[3]
        - rate.dropped * (minutes - minutes / 10)
      return Int64((Double(count) / rate.hertz * hertz).rounded()) + Int64(offset)
    }
  }

  /// The bytes; channel 0 is all channels.
  var bytes: [UInt8] {
    BigEndian.bytes(Int(kind), 4) + BigEndian.bytes(Double(frame ?? 0))
      + BigEndian.bytes(Int(identifier), 4) + Array(repeating: 0xFF, count: 8)
      + BigEndian.bytes(0, 4)
  }
}

/// A region of a Core Audio Format file: a part between two markers.
///
/// Source: Apple, Core Audio Format Specification 1.0, "Region Chunk".
struct CAFRegion {
  var identifier: UInt32
  var flags: UInt32
  var frames: Range<Int64>

  private static let (loops, forward, backward): (UInt32, UInt32, UInt32) = (1, 2, 4)
  private static let markerLimit = 1000

  var isLooped: Bool { flags & Self.loops != 0 }

  var direction: SoundFileMetadata.Loop.Direction {
    guard flags & Self.backward != 0 else { return .forward }
    return flags & Self.forward != 0 ? .alternating : .backward
  }

  /// Creates a region that plays once, or repeats in a direction.
  init(
    identifier: Int, frames: Range<Int64>, loop direction: SoundFileMetadata.Loop.Direction? = nil
  ) {
    (self.identifier, self.frames) = (UInt32(clamping: identifier), frames)
    flags =
      switch direction {
      case nil: Self.forward
      case .forward: Self.loops | Self.forward
      case .backward: Self.loops | Self.backward
      case .alternating: Self.loops | Self.forward | Self.backward
      }
  }

  private init?(_ content: ArraySlice<UInt8>, _ place: inout Int) {
    guard let head = content.dropFirst(place).words(0, 3), head[2] <= Self.markerLimit else {
      return nil
    }
    (identifier, flags, frames) = (head[0], head[1], 0..<0)
    place += 12
    var positions: [Int64] = []
    for _ in 0..<Int(head[2]) {
      guard let marker = CAFMarker(content, place) else { return nil }
      place += CAFMarker.byteCount
      if let frame = marker.frame { positions.append(frame) }
    }
    if let start = positions.min(), let end = positions.max() { frames = start..<end }
  }

  /// Reads complete regions of a chunk, at most 10,000.
  static func all(_ content: ArraySlice<UInt8>) -> [CAFRegion] {
    var (regions, place) = ([CAFRegion](), 8)
    for _ in 0..<min(content.number(4, 4) ?? 0, CAFMetadata.countLimit) {
      guard let region = CAFRegion(content, &place) else { break }
      if !region.frames.isEmpty { regions.append(region) }
    }
    return regions
  }

  /// The bytes, with a marker at the start and one at the end.
  var bytes: [UInt8] {
    let markers = [(frames.lowerBound, "rbeg"), (frames.upperBound, "rend")].map { frame, kind in
      CAFMarker(
        frame: frame, identifier: identifier,
        kind: kind.utf8.reduce(0) { $0 << 8 | UInt32($1) })
    }
    return BigEndian.bytes(Int(identifier), 4) + BigEndian.bytes(Int(flags), 4)
      + BigEndian.bytes(markers.count, 4) + markers.flatMap(\.bytes)
  }
}
