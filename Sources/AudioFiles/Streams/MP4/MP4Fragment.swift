// SPDX-License-Identifier: Apache-2.0

/// The samples of a sound track in a fragment (`moof`).
///
/// Source: ISO/IEC 14496-12, 8.8.4 to 8.8.12 (`moof`, `traf`, `tfhd`, `trun`, `tfdt`).
struct MP4Fragment {
  /// A sample, which is a packet of the sound.
  struct Sample: Hashable, Sendable {
    /// The position in the stream in bytes.
    let offset: Int64
    /// The decoding time in the track's units.
    let time: Int64
    private let storedByteCount: UInt32
    private let storedDuration: UInt32

    /// The size in bytes.
    var byteCount: Int { Int(storedByteCount) }
    /// The duration in the track's units.
    var duration: Int { Int(storedDuration) }

    init(offset: Int64, byteCount: Int, time: Int64, duration: Int) {
      (self.offset, self.time) = (offset, time)
      storedByteCount = UInt32(clamping: byteCount)
      storedDuration = UInt32(clamping: duration)
    }
  }

  /// The samples in the order of the fragment, without empty ones.
  private(set) var samples: [Sample] = []
  /// The decoding time at the end of the last sample, in the track's units.
  private(set) var endTime: Int64
  /// The number of samples beyond the limit, which are left out.
  private(set) var excessCount = 0

  /// The maximum number of samples: more than an hour of sound in one fragment.
  private static let countLimit = 1 << 19
  /// The limit of times and offsets, so that sums do not overflow.
  private static let numberLimit: Int64 = 1 << 58

  private let start: Int64
  private let defaults: [Int: MP4FragmentDefaults]
  private let track: Int
  /// The end of the data of the previous track fragment.
  private var dataEnd: Int64

  /// Reads a fragment.
  ///
  /// - Parameters:
  ///   - box: The box `moof`.
  ///   - offset: The position of its first byte in the stream.
  ///   - track: The number of the sound track.
  ///   - defaults: The defaults by track.
  ///   - time: The decoding time of the first sample if the fragment does not state it.
  init(
    _ box: MP4Box, offset: Int64, track: Int, defaults: [Int: MP4FragmentDefaults], time: Int64
  ) {
    (start, dataEnd, endTime) = (offset, offset, time)
    (self.track, self.defaults) = (track, defaults)
    for fragment in MP4Box.all(in: box.content) where fragment.name == "traf" { read(fragment) }
  }

  /// The values in a track fragment's header.
  private struct Header {
    var track: Int
    var base: Int64
    var duration: Int
    var byteCount: Int
  }

  private mutating func read(_ fragment: MP4Box) {
    let boxes = MP4Box.all(in: fragment.content)
    guard let content = boxes.first(where: { $0.name == "tfhd" })?.content,
      let header = header(content)
    else { return }
    if header.track == track, let time = boxes.first(where: { $0.name == "tfdt" })?.content,
      let value = time.number(4, time.first == 1 ? 8 : 4), value < Self.numberLimit
    {
      endTime = Int64(value)
    }
    var place = header.base
    for run in boxes where run.name == "trun" { place = read(run.content, header, from: place) }
    dataEnd = min(place, Self.numberLimit)
  }

  private func header(_ content: ArraySlice<UInt8>) -> Header? {
    guard let flags = content.number(1, 3), let track = content.number(4, 4) else { return nil }
    var place = 8
    func take(_ flag: Int, _ count: Int) -> Int? {
      guard flags & flag != 0 else { return nil }
      defer { place += count }
      return content.number(place, count)
    }
    let base = take(1, 8)
    _ = take(2, 4)
    let (duration, size) = (take(8, 4), take(16, 4))
    let own = defaults[track]
    // If the position is not absolute, only old files continue after the previous fragment.
    let relative = flags & 0x02_0000 != 0 ? start : dataEnd
    // Segments of a cut file keep their positions in the whole file.
    let isNear = base.map { Int64($0) >= start && Int64($0) < Self.numberLimit } ?? false
    return Header(
      track: track, base: isNear ? base.map(Int64.init) ?? start : relative,
      duration: duration ?? own?.duration ?? 0, byteCount: size ?? own?.byteCount ?? 0)
  }

  /// Reads a run of samples; returns the end of its data.
  private mutating func read(
    _ run: ArraySlice<UInt8>, _ header: Header, from previous: Int64
  ) -> Int64 {
    guard let flags = run.number(1, 3), let count = run.number(4, 4) else { return previous }
    var (place, offset) = (8, previous)
    if flags & 1 != 0, let distance = run.signed(8, 4) {
      offset = max(0, header.base + Int64(distance))
      place += 4
    }
    if flags & 4 != 0 { place += 4 }
    let isOwn = header.track == track
    let fields = [0x100, 0x200, 0x400, 0x800].filter { flags & $0 != 0 }
    guard !fields.isEmpty else {
      return readUniform(count, header, isOwn: isOwn, from: offset)
    }
    // Each sample has bytes here, so the box limits their number.
    for _ in 0..<min(count, max(0, run.count - place) / (4 * fields.count)) {
      var (duration, size) = (header.duration, header.byteCount)
      for field in fields {
        let value = run.number(place, 4) ?? 0
        if field == 0x100 { duration = value }
        if field == 0x200 { size = value }
        place += 4
      }
      if isOwn { add(offset, size, duration) }
      offset += Int64(size)
    }
    return offset
  }

  /// Adds samples of equal size and duration.
  private mutating func readUniform(
    _ count: Int, _ header: Header, isOwn: Bool, from start: Int64
  ) -> Int64 {
    let sum = Int128(start) + Int128(count) * Int128(header.byteCount)
    let end = min(Int64(clamping: sum), Self.numberLimit)
    guard isOwn else { return end }
    let held = header.byteCount > 0 ? min(count, Self.countLimit - samples.count) : 0
    excessCount += count - max(0, held)
    for number in 0..<max(0, held) {
      add(start + Int64(number) * Int64(header.byteCount), header.byteCount, header.duration)
    }
    return end
  }

  private mutating func add(_ offset: Int64, _ size: Int, _ duration: Int) {
    if samples.count >= Self.countLimit {
      excessCount += 1
    } else if size > 0 {
      samples.append(
        Sample(offset: offset, byteCount: size, time: endTime, duration: duration))
    }
    endTime = min(endTime + Int64(duration), Self.numberLimit)
  }
}
