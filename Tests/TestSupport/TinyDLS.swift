// SPDX-License-Identifier: Apache-2.0

/// A DLS file, built in memory from instruments, regions, connections and waves.
///
/// Source: DLS 2.2, section 2.
public struct TinyDLS {
  /// A wave of the pool.
  public struct Wave {
    /// The name.
    public var name = "wave"
    /// 1 for PCM.
    public var format = 1
    /// The number of channels.
    public var channels = 1
    /// Frames per second.
    public var rate = 44_100
    /// The bits of a sample.
    public var bits = 16
    /// The bytes of the frames.
    public var data: [UInt8]
    /// The content of `wsmp`, or nil.
    public var sample: [UInt8]?

    /// Creates a mono wave of 16 bits.
    public init(frames: [Int16], sample: [UInt8]? = nil) {
      data = frames.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
      self.sample = sample
    }
  }

  /// A region.
  public struct Region {
    /// The keys.
    public var keys = 0...127
    /// The velocities.
    public var velocities = 0...127
    /// The options of the header.
    public var options = 0
    /// The key group.
    public var group = 0
    /// The number of the wave.
    public var wave = 0
    /// The phase group.
    public var phaseGroup = 0
    /// The channel bits.
    public var channels = 1
    /// The content of `wsmp`, or nil.
    public var sample: [UInt8]?
    /// The lists of connections, as chunks.
    public var articulation: [UInt8] = []
    /// Additional chunks of the region, before the others.
    public var extra: [UInt8] = []
    /// `rgn ` or `rgn2`.
    public var kind = "rgn "

    /// Creates a region that plays the first wave for all keys.
    public init() {}
  }

  /// An instrument.
  public struct Instrument {
    /// The name.
    public var name = "instrument"
    /// The bank as in the file.
    public var bank: UInt32 = 0
    /// The program.
    public var program = 0
    /// The regions.
    public var regions = [Region()]
    /// The lists of connections, as chunks.
    public var articulation: [UInt8] = []

    /// Creates an instrument with one region.
    public init() {}
  }

  /// The waves.
  public var waves: [Wave]
  /// The instruments.
  public var instruments = [Instrument()]
  /// The positions of waves in the pool, or nil for the correct ones.
  public var cues: [Int]?
  /// Additional chunks at the start.
  public var extra: [UInt8] = []

  /// Creates a file with one instrument and one wave: 10 periods of 441 Hz.
  public init() {
    let period: [Int16] = [0, 7071, 10_000, 7071, 0, -7071, -10_000, -7071]
    var wave = Wave(frames: (0..<10).flatMap { _ in period })
    wave.sample = Self.sample(loop: 16..<64)
    waves = [wave]
  }

  /// Creates the content of a chunk `wsmp`.
  ///
  /// - Parameters:
  ///   - key: The key that plays the wave at its original pitch.
  ///   - tuning: The tuning in cents.
  ///   - gain: The gain in 1/655,360 dB.
  ///   - loop: The loop, or nil.
  ///   - type: 0 for a forward loop, 1 for one that ends when the key is released.
  /// - Returns: The bytes.
  public static func sample(
    key: Int = 60, tuning: Int = 0, gain: Int = 0, loop: Range<Int>? = nil, type: Int = 0
  ) -> [UInt8] {
    let head =
      number(20) + number(key, 2) + number(tuning, 2) + number(gain) + number(0)
      + number(loop == nil ? 0 : 1)
    guard let loop else { return head }
    return head + number(16) + number(type) + number(loop.lowerBound) + number(loop.count)
  }

  /// A list `lart` or `lar2` of connections, each with a source, a control, a destination, a
  /// transform, and an amount in the destination's unit.
  public static func articulation(
    level: Int = 2, _ connections: [(Int, Int, Int, Int, Double)]
  ) -> [UInt8] {
    let blocks = connections.flatMap { block in
      number(block.0, 2) + number(block.1, 2) + number(block.2, 2) + number(block.3, 2)
        + number(Int((block.4 * 65_536).rounded()))
    }
    return list(
      level == 1 ? "lart" : "lar2",
      chunk("art\(level)", number(8) + number(connections.count) + blocks))
  }

  /// The bytes of the file.
  public var bytes: [UInt8] {
    let pool = waves.map(Self.wave)
    var places: [Int] = []
    var place = 0
    for wave in pool {
      places.append(place)
      place += wave.count
    }
    let cues = self.cues ?? places
    let table = Self.number(8) + Self.number(cues.count) + cues.flatMap { Self.number($0) }
    let content =
      extra + Self.chunk("colh", Self.number(instruments.count))
      + Self.list("lins", instruments.flatMap(Self.instrument))
      + Self.chunk("ptbl", table)
      + Self.list("wvpl", pool.flatMap { $0 })
      + Self.list("INFO", Self.chunk("INAM", Array("tiny\0".utf8)))
    return Self.chunk("RIFF", Array("DLS ".utf8) + content)
  }

  private static func instrument(_ instrument: Instrument) -> [UInt8] {
    let header =
      number(instrument.regions.count) + number(Int(instrument.bank)) + number(instrument.program)
    return list(
      "ins ",
      chunk("insh", header) + list("lrgn", instrument.regions.flatMap(region))
        + instrument.articulation
        + list("INFO", chunk("INAM", Array(instrument.name.utf8) + [0])))
  }

  private static func region(_ region: Region) -> [UInt8] {
    let header = [
      region.keys.lowerBound, region.keys.upperBound, region.velocities.lowerBound,
      region.velocities.upperBound, region.options, region.group,
    ].flatMap { number($0, 2) }
    let link =
      number(0, 2) + number(region.phaseGroup, 2) + number(region.channels) + number(region.wave)
    return list(
      region.kind,
      region.extra + chunk("rgnh", header) + (region.sample.map { chunk("wsmp", $0) } ?? [])
        + chunk("wlnk", link) + region.articulation)
  }

  private static func wave(_ wave: Wave) -> [UInt8] {
    let size = wave.channels * wave.bits / 8
    let format =
      number(wave.format, 2) + number(wave.channels, 2) + number(wave.rate)
      + number(wave.rate * size) + number(size, 2) + number(wave.bits, 2)
    return list(
      "wave",
      chunk("fmt ", format) + (wave.sample.map { chunk("wsmp", $0) } ?? [])
        + chunk("data", wave.data)
        + list("INFO", chunk("INAM", Array(wave.name.utf8) + [0])))
  }

  /// A chunk with its header, padded to an even size.
  public static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + number(content.count) + content
      + (content.count % 2 == 1 ? [0] : [])
  }

  /// A list of chunks.
  public static func list(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    chunk("LIST", Array(kind.utf8) + content)
  }

  /// A number, little-endian.
  public static func number(_ value: Int, _ size: Int = 4) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
